"""`attnpack check`, from the command line to the verdict."""

from __future__ import annotations

import importlib.util
import json
import re
from typing import TYPE_CHECKING

import pytest
from commands import BROKEN_SOFTMAX, TORCH, attnpack, flat, process, solve

from attnpack import pack, workspace
from attnpack.errors import BadInputError
from attnpack.terms import Status
from attnpack.workspace import progress

if TYPE_CHECKING:
    from pathlib import Path

NAMES = [exercise.name for exercise in pack.load().chapters[0].exercises]


def statuses(output: str) -> dict[str, str]:
    return {e["name"]: e["status"] for e in json.loads(output)["exercises"]}


def test_the_solutions_pass_and_end_with_zero(here: Path) -> None:
    solve(here)
    result = attnpack("check")
    assert result.exit_code == 0, result.output
    assert "All 7 exercises passed." in result.output


def test_fresh_stubs_are_not_started_and_say_where_to_begin(here: Path) -> None:
    result = attnpack("check")
    assert result.exit_code == 1
    assert "· not started" in result.output
    assert "write softmax in softmax.py, then type: attnpack check" in flat(result.output)


def test_a_wrong_exercise_stops_the_run_and_the_rest_says_because_of_which(here: Path) -> None:
    solve(here)
    (here / "softmax.py").write_text(BROKEN_SOFTMAX)
    result = attnpack("check")
    assert result.exit_code == 1
    assert result.output.count("- skipped") >= 6
    assert "Not reached: softmax comes first." in flat(result.output)


def test_keep_going_checks_the_rest_and_blames_nobody_for_softmax(here: Path) -> None:
    solve(here)
    (here / "softmax.py").write_text(BROKEN_SOFTMAX)
    result = attnpack("check", "--keep-going")
    assert result.exit_code == 1
    assert "6 of 7 passed" in result.output


def test_the_bug_and_its_line_are_named_and_the_next_command(here: Path) -> None:
    solve(here)
    (here / "softmax.py").write_text(BROKEN_SOFTMAX)
    output = attnpack("check").output
    assert "softmax-over-queries" in output
    assert "❯ 7 │     return e / e.sum(axis=-2, keepdims=True)" in output
    assert "Next: mend softmax.py:7, then type: attnpack check" in output
    assert "attnpack explain softmax-over-queries" in output


def test_what_the_code_printed_stands_under_its_exercise(here: Path) -> None:
    solve(here)
    (here / "softmax.py").write_text(BROKEN_SOFTMAX)
    assert re.search(r"softmax, printed by your code:\n  scores \(", attnpack("check").output)


def test_json_is_one_object_and_nothing_else_and_keeps_going(here: Path) -> None:
    solve(here)
    (here / "softmax.py").write_text(BROKEN_SOFTMAX)
    done = process("check", "--json", cwd=here)
    assert done.returncode == 1
    report = json.loads(done.stdout)
    assert report["schema"] == "attnpack.report/1"
    assert [e["name"] for e in report["exercises"]] == NAMES
    assert statuses(done.stdout)["softmax"] == "failed"
    assert statuses(done.stdout)["MultiHeadAttention"] == "passed"
    assert done.stderr == ""


def test_one_exercise_can_be_checked_alone(here: Path) -> None:
    solve(here, "causal_mask")
    result = attnpack("check", "causal_mask", "--json")
    assert result.exit_code == 0
    assert statuses(result.stdout) == {"causal_mask": "passed"}


def test_a_seed_gives_the_same_report_again(here: Path) -> None:
    solve(here)
    (here / "softmax.py").write_text(BROKEN_SOFTMAX)
    first = attnpack("check", "--json", "--seed", "7").stdout
    assert attnpack("check", "--json", "--seed", "7").stdout == first
    assert json.loads(first)["seed"] == 7


def test_one_file_outside_a_workspace_is_checked(nowhere: Path) -> None:
    (nowhere / "attention.py").write_text(BROKEN_SOFTMAX)
    result = attnpack("check", "attention.py", "--json")
    assert result.exit_code == 1
    found = statuses(result.stdout)
    assert found["softmax"] == "failed"
    assert found["SelfAttention"] == "not_started"
    assert not (nowhere / ".attnpack").exists()


@pytest.mark.parametrize("backend", ["numpy", TORCH])
def test_the_backend_of_a_lone_file_is_read_off_its_imports(nowhere: Path, backend: str) -> None:
    text = pack.load().reference_path(backend, "causal_mask.py").read_text(encoding="utf-8")
    (nowhere / "mask.py").write_text(text)
    report = json.loads(attnpack("check", "mask.py", "causal_mask", "--json").stdout)
    assert report["backend"] == backend
    assert report["passed"] is True


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="torch is installed")
def test_a_torch_workspace_without_torch_is_told_how_to_install_it(nowhere: Path) -> None:
    attnpack("init", "--backend", "torch")
    solve(nowhere, backend="torch")
    result = attnpack("check")
    assert result.exit_code == 2
    assert "pip install 'attnpack[torch]'" in result.stderr


@pytest.mark.parametrize("backend", [TORCH, "value"])
def test_a_workspace_is_checked_in_its_own_backend(nowhere: Path, backend: str) -> None:
    attnpack("init", "--backend", backend)
    solve(nowhere, "causal_mask", backend=backend)
    report = json.loads(attnpack("check", "causal_mask", "--json").stdout)
    assert report["backend"] == backend
    assert report["passed"] is True


def test_a_notebook_is_checked_and_its_cells_are_named(nowhere: Path) -> None:
    sources = ["%matplotlib inline\nimport numpy as np", BROKEN_SOFTMAX]
    cells = [{"cell_type": "code", "source": text} for text in sources]
    (nowhere / "work.ipynb").write_text(json.dumps({"cells": cells, "nbformat": 4}))
    output = attnpack("check", "work.ipynb", "softmax").output
    assert "look at            cell 2, line 7" in output
    assert "Next: mend cell 2, line 7, then type: attnpack check work.ipynb" in output


def test_progress_is_remembered(here: Path) -> None:
    solve(here, "attention_scores")
    (here / "softmax.py").write_text(BROKEN_SOFTMAX)
    attnpack("check", "--keep-going", "--seed", "3")
    known = workspace.needed(here).state
    assert known.seed == 3
    assert known.progress("softmax").status is Status.FAILED
    assert known.progress("softmax").bug == "softmax-over-queries"
    assert known.progress("attention_scores").first_passed is not None
    assert known.progress("causal_mask") == progress.Progress(Status.NOT_STARTED)
    assert "softmax-over-queries" in attnpack("list").output


def test_a_skipped_exercise_keeps_what_was_known_of_it(here: Path) -> None:
    solve(here)
    attnpack("check")
    (here / "softmax.py").write_text(BROKEN_SOFTMAX)
    attnpack("check")
    assert workspace.needed(here).state.progress("causal_mask").status is Status.PASSED


def test_a_workspace_that_cannot_be_written_costs_nobody_the_verdict(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solve(here)

    def refuse(*_: object) -> None:
        raise BadInputError("The disk is full.")

    monkeypatch.setattr(workspace, "record", refuse)
    result = attnpack("check")
    assert result.exit_code == 0
    assert "All 7 exercises passed." in result.output
    assert "The disk is full." in result.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["no-such-folder"], "There is no file or folder 'no-such-folder'"),
        (["softmaxx"], "Did you mean the exercise softmax?"),
        (["notes.txt"], "not a Python file"),
        (["empty.py"], "empty"),
        (["empty"], "There are no exercises in"),
    ],
)
def test_what_cannot_be_checked_ends_with_two_and_says_why(
    here: Path, words: list[str], said: str
) -> None:
    (here / "notes.txt").write_text("notes")
    (here / "empty.py").write_text("")
    (here / "empty").mkdir()
    result = attnpack("check", *words, "--json")
    assert result.exit_code == 2
    assert said in flat(result.stderr)
    assert result.stdout == ""


def test_a_syntax_error_is_the_learners_with_file_and_line(here: Path) -> None:
    solve(here)
    (here / "softmax.py").write_text("def softmax(scores):\n    return (\n")
    result = attnpack("check")
    assert result.exit_code == 1
    assert "! error" in result.output
    assert "SyntaxError" in result.output
    assert "softmax.py:2" in result.output
    assert "attnpack/" not in result.output


def test_a_crash_shows_the_learners_frames_and_none_of_ours(here: Path) -> None:
    solve(here)
    (here / "causal_mask.py").write_text(
        "def inner(n):\n    return [][n]\n\n\n"
        "def causal_mask(seq_len):\n    return inner(seq_len)\n"
    )
    output = attnpack("check").output
    assert "IndexError: list index out of range" in output
    assert "causal_mask.py:2, in inner" in output
    assert "causal_mask.py:6, in causal_mask" in output
    assert "guest" not in output


@pytest.mark.parametrize("columns", ["20", "60", "69"])
def test_a_narrow_terminal_without_unicode_gets_the_verdict(here: Path, columns: str) -> None:
    (here / "softmax.py").write_text(BROKEN_SOFTMAX)
    done = process("check", cwd=here, encoding="cp437", env={"COLUMNS": columns})
    assert done.returncode == 1, done.stderr
    assert "softmax-over-queries" in "".join(done.stdout.split())


def test_a_pipe_without_unicode_gets_the_report_in_ascii(here: Path) -> None:
    solve(here)
    (here / "softmax.py").write_text(BROKEN_SOFTMAX)
    done = process("check", cwd=here, encoding="ascii")
    assert done.returncode == 1, done.stderr
    assert "x failed" in done.stdout
    assert "> 7 |     return e / e.sum(axis=-2, keepdims=True)" in done.stdout


def test_edit_opens_the_editor_at_the_line_of_the_bug(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from attnpack.workspace import editor

    opened = []
    monkeypatch.setattr(editor, "open_at", lambda path, line: opened.append((path.name, line)))
    solve(here)
    (here / "softmax.py").write_text(BROKEN_SOFTMAX)
    attnpack("check", "--edit")
    assert opened == [("softmax.py", 7)]


def test_the_repro_script_fails_as_the_check_did(here: Path) -> None:
    solve(here)
    (here / "causal_mask.py").write_text("def causal_mask(seq_len):\n    return seq_len.nothing\n")
    attnpack("check")
    result = attnpack("repro", "causal_mask")
    assert result.exit_code == 0, result.output
    assert "from causal_mask import causal_mask" in result.output
    done = process("debug", "causal_mask", cwd=here)
    assert done.returncode == 1
    assert "AttributeError" in done.stderr
    assert 'causal_mask.py", line 2' in done.stderr


def test_the_repro_script_of_a_class_builds_and_fills_it(here: Path) -> None:
    solve(here)
    path = here / "self_attention.py"
    path.write_text(
        path.read_text() + "\n\nSelfAttention.forward = lambda self, x, causal=True: x\n"
    )
    attnpack("check")
    result = attnpack("repro", "SelfAttention")
    assert result.exit_code == 0, result.output
    assert "layer.W_q[...] = np.array" in result.output
    assert process("debug", "SelfAttention", cwd=here).returncode == 0


def test_a_changed_repro_script_is_backed_up(here: Path) -> None:
    solve(here)
    (here / "softmax.py").write_text(BROKEN_SOFTMAX)
    attnpack("check")
    attnpack("repro", "softmax")
    attnpack("repro", "softmax")
    assert not (here / ".attnpack" / "backups").exists()
    (here / "repro_softmax.py").write_text("mine = 1\n")
    attnpack("repro", "softmax")
    (backup,) = (here / ".attnpack" / "backups").rglob("repro_softmax.py")
    assert backup.read_text() == "mine = 1\n"


def test_there_is_no_repro_of_what_passes(here: Path) -> None:
    solve(here)
    result = attnpack("repro", "softmax")
    assert result.exit_code == 2
    assert "No call of softmax fails" in result.output


def test_the_demo_shows_both_bugs_and_then_all_passed(nowhere: Path) -> None:
    done = process("demo", cwd=nowhere)
    assert done.returncode == 0, done.stderr
    assert "softmax-over-queries" in done.stdout
    assert "scale-missing" in done.stdout
    assert "All 7 exercises passed." in done.stdout
    assert "attnpack init" in done.stdout
    assert list(nowhere.iterdir()) == []


def test_the_readmes_pictures_can_be_made(nowhere: Path) -> None:
    result = attnpack("dev", "screenshot", "img")
    assert result.exit_code == 0, result.output
    check = (nowhere / "img" / "check.svg").read_text(encoding="utf-8")
    trace = (nowhere / "img" / "trace.svg").read_text(encoding="utf-8")
    assert check.startswith("<svg")
    assert "softmax-over-queries" in check
    assert "exponentials" in trace


AROUND = """
import pandas as pd
from google.colab import drive
import argparse, sys
args = argparse.ArgumentParser().parse_args(["--no-such-option"])
"""
BELOW = """
assert softmax([[1.0]]) is None
get_ipython().run_line_magic("matplotlib", "inline")
raise SystemExit("done")
"""


@pytest.mark.parametrize("suffix", [".py", ".ipynb"])
def test_what_no_exercise_uses_costs_nothing_and_is_told(tmp_path: Path, suffix: str) -> None:
    solution = pack.load().reference_path("numpy", "softmax.py").read_text(encoding="utf-8")
    path = tmp_path / f"work{suffix}"
    cells = [AROUND, f"%%time\n{solution}", "x = = 1", BELOW]
    if suffix == ".py":
        path.write_text(f"{AROUND}{solution}{BELOW}")
    else:
        found = [{"cell_type": "code", "source": cell} for cell in cells]
        path.write_text(json.dumps({"cells": found, "nbformat": 4, "metadata": {}}))
    result = attnpack("check", str(path), "softmax")
    assert result.exit_code == 0, result.output
    assert "Not run, since no exercise needs it" in flat(result.output)
