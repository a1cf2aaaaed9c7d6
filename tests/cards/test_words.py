"""The sentences around a diagnosis cover every stage, status and match, and read well."""

from __future__ import annotations

import subprocess
import sys

import pytest

from attnpack import pack
from attnpack.calls import Frame, Raised
from attnpack.report import words
from attnpack.terms import Match, Status

INNER = Frame(file="softmax.py", line=6, function="softmax", text="return e / s")
OUTER = Frame(file="self_attention.py", line=30, function="forward", text="return ...")


def test_every_stage_is_shown_by_the_label_that_the_pack_gives_it() -> None:
    assert words.stage_label("row_sums") == "row sums"
    assert words.stage_label("of_an_older_pack") == "of an older pack"


def test_a_heading_fits_over_its_column() -> None:
    for stage in pack.load().stages:
        assert stage.heading.count("\n") == 1
        assert all(len(line) <= 9 for line in stage.heading.splitlines())


def test_every_status_and_match_has_its_words() -> None:
    assert set(words.STATUS_WORD) == set(words.STATUS_MARK) == set(Status)
    assert set(words.STATUS_MARK_ASCII) == set(Status)
    assert set(words.MATCH_WORD) == set(Match)


def test_marks_of_different_statuses_differ() -> None:
    assert len(set(words.STATUS_MARK.values())) == len(Status)
    assert len(set(words.STATUS_MARK_ASCII.values())) == len(Status)
    assert all(mark.isascii() for mark in words.STATUS_MARK_ASCII.values())


def test_the_words_import_neither_numpy_nor_rich() -> None:
    code = "import sys, attnpack.report.words; print({'numpy', 'rich'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("set()\n", "")


def test_an_exception_names_the_innermost_line_of_the_learner() -> None:
    said = words.raised(Raised("ValueError", "shapes differ\nmore", (OUTER, INNER)))
    assert said == "Your code raised ValueError: shapes differ (softmax.py, line 6, in softmax)"


@pytest.mark.parametrize("message", ["", "  \n "])
def test_an_exception_without_message_or_place_is_named_alone(message: str) -> None:
    assert words.raised(Raised("KeyError", message)) == "Your code raised KeyError"


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ([], ""),
        (["softmax"], "softmax"),
        (["softmax", "causal_mask"], "softmax and causal_mask"),
        (["a", "b", "c"], "a, b and c"),
    ],
)
def test_names_are_listed_as_in_a_sentence(names: list[str], sentence: str) -> None:
    assert words.listed(names) == sentence


def test_stand_ins_agree_in_number() -> None:
    assert words.stand_ins(["softmax"]).startswith("softmax does not pass yet")
    assert words.stand_ins(["softmax", "causal_mask"]).startswith("softmax and causal_mask do not")


def test_exact_speaks_of_both_bugs_only_where_they_are_together() -> None:
    assert words.match_sentence(Match.EXACT) == words.MATCH_WORD[Match.EXACT]
    assert "both bugs together" in words.match_sentence(Match.EXACT, together=True)
    assert words.match_sentence(Match.LIKELY, together=True) == words.MATCH_WORD[Match.LIKELY]


def test_a_loop_and_an_ended_process_say_what_to_look_for() -> None:
    assert "softmax had not returned after 5 s" in words.never_returns("softmax", 5.0)
    assert "sys.exit()" in words.ends_process("softmax")
