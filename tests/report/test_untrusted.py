"""Text out of a submission on its way to a terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnpack.report.untrusted import capped, one_line, printable


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;a title\x07text", "text"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b[2J\x1b[Hgone", "gone"),
        ("\x9b31mraw C1", "31mraw C1"),
        ("a\rb", "a\nb"),
        ("a\r\nb", "a\nb"),
        ("a\tb", "a   b"),
        ("bell\x07", "bell"),
        ("back\u202eward", "backward"),
        ("lone \ud800 surrogate", "lone  surrogate"),
        ("Kᵀ √d_k ünïcode", "Kᵀ √d_k ünïcode"),
    ],
)
def test_control_is_taken_out_and_words_are_kept(raw: str, clean: str) -> None:
    assert printable(raw) == clean


@given(st.text())
def test_no_text_whatever_keeps_a_control_character(text: str) -> None:
    assert not any(ord(c) < 32 or 127 <= ord(c) < 160 for c in printable(text) if c != "\n")


def test_a_short_text_is_not_cut() -> None:
    assert capped("a\nb\n") == "a\nb"


def test_a_long_text_is_cut_by_lines_and_says_how_much_is_gone() -> None:
    assert capped("x\n" * 30, lines=2) == "x\nx\n[... 56 more characters; all of them: --json]"


def test_a_wide_text_is_cut_by_characters() -> None:
    assert capped("x" * 50, characters=10).startswith("x" * 10 + "\n[... 40 more")


def test_one_line_is_one_line() -> None:
    assert one_line("a\n b\x1b[1m c") == "a b c"
    assert one_line("x" * 400, characters=10) == "xxxxxx ..."
