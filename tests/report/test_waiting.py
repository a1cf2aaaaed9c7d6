"""The line that is shown while a check runs."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

from attnpack.report.model import ExerciseReport
from attnpack.report.waiting import waiting
from attnpack.terms import Status

if TYPE_CHECKING:
    import pytest


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_each_verdict_is_shown_and_the_line_is_gone_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with waiting(["softmax", "causal_mask"]) as judged:
        judged(ExerciseReport("softmax", Status.FAILED))
        judged(ExerciseReport("causal_mask", Status.PASSED))
    shown = [line.strip() for line in terminal.getvalue().split("\r") if line]
    assert shown == ["checking softmax ...", "softmax ✗ failed, checking causal_mask ...", ""]


def test_the_line_is_never_wider_than_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("COLUMNS", "12")
    with waiting(["scaled_dot_product_attention"]):
        pass
    assert max(len(line) for line in terminal.getvalue().split("\r")) < 12


def test_a_pipe_gets_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with waiting(["softmax"]) as judged:
        judged(ExerciseReport("softmax", Status.PASSED))
    assert capsys.readouterr().err == ""
