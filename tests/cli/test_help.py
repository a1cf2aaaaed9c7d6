"""Help that a learner asks for: hint, explain, solution, list and the bare command."""

from __future__ import annotations

import io
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from commands import attnpack, flat, process, solve

from attnpack import pack, workspace
from attnpack.report import prose
from attnpack.terms import Status
from attnpack.workspace import judged, progress

if TYPE_CHECKING:
    from pathlib import Path

SOFTMAX = pack.load().exercises[0]


def remember(root: Path, exercise: str, **known: object) -> None:
    here = workspace.needed(root)
    file = next(e.file for e in pack.load().exercises if e.name == exercise)
    of = replace(progress.Progress(), text=judged.fingerprint(here.sources, file, here.pack))
    here.saved(here.state.with_progress(exercise, replace(of, **known)))


def test_each_hint_is_one_step_more_and_the_last_one_stays(here: Path) -> None:
    for step in (0, 1, 2, 2):
        result = attnpack("hint", "softmax")
        assert result.exit_code == 0
        assert f"hint {step + 1} of 3" in result.output
        assert flat(SOFTMAX.hints[step]) in flat(result.output)
    assert "attnpack solution softmax --give-up" in result.output


def test_a_hint_without_an_exercise_is_about_the_one_the_learner_is_at(here: Path) -> None:
    remember(here, "softmax", status=Status.PASSED)
    assert "attention_scores, hint 1 of 3" in attnpack("hint").output


def test_after_a_diagnosis_the_hints_are_those_of_the_bug(here: Path) -> None:
    remember(here, "softmax", status=Status.FAILED, bug="softmax-over-queries")
    card = pack.load().bugs()["softmax-over-queries"].card
    for step in range(3):
        assert flat(card.hints[step]) in flat(attnpack("hint", "softmax").output)
    assert "attnpack explain softmax-over-queries" in attnpack("hint", "softmax").output


def test_hints_of_one_bug_do_not_use_up_those_of_another(here: Path) -> None:
    remember(here, "softmax", status=Status.FAILED, bug="softmax-over-queries")
    attnpack("hint", "softmax")
    found = workspace.needed(here)
    known = found.state.progress("softmax")
    found.saved(found.state.with_progress("softmax", replace(known, bug="softmax-overflow")))
    assert "hint 1 of 3" in attnpack("hint", "softmax").output


def test_a_hint_outside_a_workspace_is_the_first_and_says_why(nowhere: Path) -> None:
    for _ in range(2):
        result = attnpack("hint", "softmax")
        assert "hint 1 of 3" in result.output
        assert "attnpack init" in result.output


def test_a_hint_takes_the_name_of_a_file(here: Path) -> None:
    assert "SelfAttention, hint 1 of 3" in attnpack("hint", "self_attention.py").output
    assert "SelfAttention, hint 2 of 3" in attnpack("hint", "self_attention").output


@pytest.mark.parametrize("bug", list(pack.load().bugs()))
def test_every_bug_is_explained_in_eighty_columns(nowhere: Path, bug: str) -> None:
    result = attnpack("explain", bug)
    card = pack.load().bugs()[bug].card
    assert result.exit_code == 0
    for text in (card.title, card.does, card.hurts, card.fix):
        assert flat(text) in flat(result.output)
    wide = [line for line in result.output.splitlines() if len(line) > 80]
    assert [line for line in wide if " " in line.strip()] == [], "only an address may be wider"


def test_explain_alone_lists_every_id(nowhere: Path) -> None:
    output = attnpack("explain").output
    assert all(f"  {bug} " in output for bug in pack.load().bugs())


def test_a_bug_that_nobody_knows_is_answered_with_close_ones(nowhere: Path) -> None:
    result = attnpack("explain", "softmax-over-query")
    assert result.exit_code == 2
    assert "softmax-over-queries" in result.output


def test_the_solution_waits_until_the_exercise_has_passed(here: Path) -> None:
    result = attnpack("solution", "softmax")
    assert result.exit_code == 2
    assert "attnpack hint softmax" in result.output
    assert "--give-up" in result.output
    assert "exps" not in result.output


@pytest.mark.parametrize("columns", ["80", "160"])
def test_the_solution_is_shown_with_the_learners_code(
    here: Path, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    (here / "softmax.py").write_text("def softmax(scores):\n    return my_very_own(scores)\n")
    remember(here, "softmax", status=Status.PASSED)
    result = attnpack("solution", "softmax")
    assert result.exit_code == 0
    assert "my_very_own" in result.output
    assert "keepdims=True" in result.output
    side_by_side = any("my_very_own" in line and "|" in line for line in result.output.splitlines())
    assert side_by_side is (columns == "160")


def test_giving_up_shows_the_solution(here: Path) -> None:
    assert "keepdims=True" in attnpack("solution", "softmax", "--give-up").output


def test_the_list_shows_progress_in_words(here: Path) -> None:
    remember(
        here,
        "softmax",
        status=Status.PASSED,
        checks=3,
        first_checked="2026-01-01T10:00:00+00:00",
        first_passed="2026-01-01T10:12:00+00:00",
        bugs_met=("softmax-overflow",),
    )
    output = attnpack("list").output
    assert "checked 3 times, passed 12 min after the first check" in output
    assert "bugs met: softmax-overflow" in output
    assert output.count("not started") == len(pack.load().exercises) - 1
    assert "Next: write attention_scores.py" in output


def test_the_bare_command_says_where_one_is_and_what_to_type(here: Path) -> None:
    assert "Next: write softmax.py, then type: attnpack check" in attnpack().output
    remember(here, "softmax", status=Status.FAILED, bug="softmax-overflow")
    output = attnpack().output
    assert "softmax-overflow" in output
    assert "attnpack hint softmax" in output


def test_the_bare_command_after_the_last_exercise(here: Path) -> None:
    for exercise in pack.load().exercises:
        remember(here, exercise.name, status=Status.PASSED)
    assert "All 7 exercises passed." in attnpack().output


def test_the_bare_command_in_no_workspace_offers_the_demo(nowhere: Path) -> None:
    result = attnpack()
    assert result.exit_code == 0
    assert "attnpack demo" in result.output
    assert "attnpack init" in result.output


@pytest.mark.parametrize("words", [["--help"], ["list"], ["hint", "softmax"], ["explain"]])
def test_light_commands_import_nothing_heavy(here: Path, words: list[str]) -> None:
    probe = (
        "import sys; sys.argv[1:] = {!r}; from attnpack.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = {{'numpy', 'torch', 'matplotlib', 'nbformat', 'rich.console'}}\n"
        "print('HEAVY', sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", probe.format(words)],
        capture_output=True,
        text=True,
        cwd=here,
        check=False,
    )
    assert "HEAVY []" in done.stdout, done.stdout + done.stderr


def test_a_terminal_without_unicode_gets_words_it_can_print(here: Path) -> None:
    done = process("hint", "attention_scores", cwd=here, encoding="ascii")
    assert done.returncode == 0, done.stderr
    assert "Which axis is summed over" in done.stdout
    listed = process("explain", cwd=here, encoding="ascii")
    assert listed.returncode == 0, listed.stderr
    assert "softmax-over-queries" in listed.stdout


def test_prose_folds_what_a_stream_cannot_write() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    prose.say("Q Kᵀ → √d", stream)
    stream.flush()
    assert raw.getvalue() == b"Q K^T -> sqrt d\n"


def test_the_reference_of_every_exercise_can_be_shown(here: Path) -> None:
    solve(here)
    for exercise in pack.load().exercises:
        assert exercise.name in attnpack("solution", exercise.name, "--give-up").output


WRONG_SOFTMAX = """\
import numpy as np


def softmax(scores):
    exponentials = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return exponentials / np.sum(exponentials, axis=0, keepdims=True)
"""


def test_after_the_last_hint_a_change_of_the_learners_own_code_is_shown(here: Path) -> None:
    (here / "softmax.py").write_text(WRONG_SOFTMAX, encoding="utf-8")
    attnpack("check", "softmax")
    for _ in range(3):
        assert "axis=-1, keepdims=True)\n" not in attnpack("hint", "softmax").output
    shown = attnpack("hint", "softmax").output
    assert "One change in softmax.py makes every check pass" in flat(shown)
    assert "-    return exponentials / np.sum(exponentials, axis=0, keepdims=True)" in shown
    assert "+    return exponentials / np.sum(exponentials, axis=-1, keepdims=True)" in shown
