"""`pytest` in a workspace: the verdicts of `attnpack check`, one test for each stage."""

from __future__ import annotations

import importlib.metadata
import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest
from sampled import one_of

from attnpack import pack
from attnpack.terms import Backend
from attnpack.workspace import scaffolding

if TYPE_CHECKING:
    from pathlib import Path

pytest_plugins = ("pytester",)

EXERCISES = pack.load().chapters[0].exercises
STAGES = [
    f"test_{exercise.name}[{stage}]"
    for exercise in EXERCISES
    for stage in exercise.stages_on(Backend.NUMPY)
]
OVER_THE_QUERIES = """\
import numpy as np


def softmax(scores):
    e = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return e / e.sum(axis=-2, keepdims=True)
"""
ENDS = "import os\nos._exit(0)\n"


@pytest.fixture
def here(pytester: pytest.Pytester) -> Path:
    """A fresh numpy workspace, and the current folder."""
    scaffolding.init(pytester.path, Backend.NUMPY)
    return pytester.path


def solve(root: Path, *names: str) -> None:
    for exercise in EXERCISES:
        if not names or exercise.name in names:
            text = pack.load().reference_path("numpy", exercise.file).read_text(encoding="utf-8")
            (root / exercise.file).write_text(text, encoding="utf-8")


def times_checked(root: Path) -> dict[str, int]:
    state = json.loads((root / ".attnpack" / "state.json").read_text(encoding="utf-8"))
    return {name: known["checks"] for name, known in state["exercises"].items()}


def test_the_plugin_is_found_wherever_attnpack_is_installed() -> None:
    (found,) = importlib.metadata.entry_points(group="pytest11", name="attnpack")
    assert found.value == "attnpack.pytest_plugin"


def test_the_scaffolded_file_names_every_exercise_of_the_pack(here: Path) -> None:
    text = (here / "test_exercises.py").read_text(encoding="utf-8")
    for exercise in EXERCISES:
        assert f"def test_{exercise.name}(attnpack_stage):" in text
    assert text.count("def test_") == len(EXERCISES)


def test_collecting_lists_every_stage_and_checks_nothing(
    pytester: pytest.Pytester, here: Path
) -> None:
    solve(here)
    result = pytester.runpytest("--collect-only", "-q")
    listed = [line.split("::")[1] for line in result.outlines if "::" in line]
    assert listed == STAGES
    assert times_checked(here) == {}


@pytest.mark.parametrize("backend", [Backend.VALUE, Backend.TORCH])
def test_gradients_are_asked_where_there_are_some(
    pytester: pytest.Pytester, backend: Backend
) -> None:
    scaffolding.init(pytester.path, backend)
    result = pytester.runpytest("--collect-only", "-q")
    result.stdout.fnmatch_lines(["*::test_softmax[[]gradients]"])


def test_what_is_right_passes_and_is_checked_once_and_remembered(
    pytester: pytest.Pytester, here: Path
) -> None:
    solve(here)
    pytester.runpytest().assert_outcomes(passed=len(STAGES))
    assert times_checked(here) == {exercise.name: 1 for exercise in EXERCISES}


def test_a_failure_is_the_diagnosis_and_no_traceback(pytester: pytest.Pytester, here: Path) -> None:
    solve(here)
    (here / "softmax.py").write_text(OVER_THE_QUERIES, encoding="utf-8")
    result = pytester.runpytest()
    result.assert_outcomes(failed=1, skipped=1, passed=len(STAGES) - 2)
    text = result.stdout.str()
    assert "softmax over the queries (softmax-over-queries)" in text
    assert "softmax.py:6" in text
    assert "attnpack hint softmax" in text
    assert "Traceback" not in text
    assert "pytest_plugin.py" not in text


def test_a_runner_that_asks_for_colours_gets_plain_text(
    pytester: pytest.Pytester, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    (here / "softmax.py").write_text(OVER_THE_QUERIES, encoding="utf-8")
    result = pytester.runpytest("-k", "test_softmax", "--color=no")
    assert "softmax-over-queries" in result.stdout.str()
    assert "\x1b" not in result.stdout.str()


def test_the_first_line_of_a_failure_names_bug_and_place(
    pytester: pytest.Pytester, here: Path
) -> None:
    (here / "softmax.py").write_text(OVER_THE_QUERIES, encoding="utf-8")
    pytester.runpytest("-k", "test_softmax", "--junit-xml=out.xml")
    cases = {
        case.get("name"): case for case in ET.parse(here / "out.xml").getroot().iter("testcase")
    }
    failure = cases["test_softmax[row_sums]"].find("failure")
    assert failure is not None
    assert failure.text is not None
    assert failure.text.splitlines()[0] == "softmax over the queries softmax.py:6"
    skipped = cases["test_softmax[values]"].find("skipped")
    assert skipped is not None
    assert skipped.get("message") == "not reached: row_sums comes first"


def test_a_later_stage_asked_for_alone_fails_with_the_earlier_one(
    pytester: pytest.Pytester, here: Path
) -> None:
    (here / "softmax.py").write_text(OVER_THE_QUERIES, encoding="utf-8")
    result = pytester.runpytest("test_exercises.py::test_softmax[values]")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["softmax over the queries softmax.py:6"])


def test_only_what_is_selected_is_checked(pytester: pytest.Pytester, here: Path) -> None:
    solve(here)
    pytester.runpytest("-k", "causal_mask and shapes").assert_outcomes(
        passed=1, deselected=len(STAGES) - 1
    )
    assert times_checked(here) == {"causal_mask": 1}


def test_nothing_passes_unsolved(pytester: pytest.Pytester, here: Path) -> None:
    result = pytester.runpytest()
    result.assert_outcomes(failed=len(EXERCISES), skipped=len(STAGES) - len(EXERCISES))
    result.stdout.fnmatch_lines(["softmax is not written yet: define it in softmax.py*"])
    pytester.runpytest("-k", "values and causal_mask").assert_outcomes(
        failed=1, deselected=len(STAGES) - 1
    )


@pytest.mark.parametrize("file", one_of(["softmax.py", "secrets.py", "my_own.py"]))
def test_a_file_that_ends_the_process_passes_nothing(
    pytester: pytest.Pytester, here: Path, file: str
) -> None:
    (here / file).write_text(ENDS, encoding="utf-8")
    result = pytester.runpytest_subprocess("-k", "test_softmax")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(failed=1, skipped=2, deselected=len(STAGES) - 3)


@pytest.mark.exhaustive
def test_workers_share_one_check(pytester: pytest.Pytester, here: Path) -> None:
    pytest.importorskip("xdist")
    solve(here)
    pytester.runpytest_subprocess("-n", "2").assert_outcomes(passed=len(STAGES))
    assert times_checked(here) == {exercise.name: 1 for exercise in EXERCISES}


@pytest.mark.parametrize("options", one_of([(), ("-n", "2")]))
def test_a_fault_of_the_judging_is_an_error_and_is_told_once(
    pytester: pytest.Pytester, here: Path, options: tuple[str, ...]
) -> None:
    if options:
        pytest.importorskip("xdist")
    pytester.makeconftest(
        """
        import subprocess
        def broken(command, **_):
            return subprocess.CompletedProcess(command, 1, "", "the machine is out of order")
        subprocess.run = broken
        """
    )
    result = pytester.runpytest_subprocess("-k", "test_softmax", *options)
    result.assert_outcomes(errors=3, deselected=0 if options else len(STAGES) - 3)
    text = result.stdout.str()
    assert "the machine is out of order" in text
    assert "Traceback" not in text


def test_outside_of_a_workspace_the_message_says_how_to_make_one(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_softmax(attnpack_stage): attnpack_stage.must_pass()")
    result = pytester.runpytest()
    result.assert_outcomes(errors=1)
    assert "attnpack init" in result.stdout.str()
    assert "pytest_plugin.py" not in result.stdout.str()


def test_a_test_named_after_no_exercise_is_told_so(pytester: pytest.Pytester, here: Path) -> None:
    (here / "test_exercises.py").write_text("def test_softmx(attnpack_stage): ...\n")
    result = pytester.runpytest()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["There is no exercise softmx*"])


def test_a_folder_of_exercises_without_a_state_is_checked_too(
    pytester: pytest.Pytester, here: Path
) -> None:
    solve(here, "softmax")
    (here / ".attnpack" / "state.json").unlink()
    (here / ".attnpack").rmdir()
    pytester.runpytest("-k", "test_softmax").assert_outcomes(passed=3, deselected=len(STAGES) - 3)


def test_where_no_test_asks_nothing_but_the_plugin_is_imported(tmp_path: Path) -> None:
    (tmp_path / "test_other.py").write_text(
        "import sys\n"
        "def test_other():\n"
        "    ours = {m for m in sys.modules if m.split('.')[0] == 'attnpack'}\n"
        "    assert ours <= {'attnpack', 'attnpack.pytest_plugin'}\n"
        "    assert not {'numpy', 'typer', 'rich'} & sys.modules.keys()\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:hypothesispytest"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_pytest_above_two_workspaces_runs_both(pytester: pytest.Pytester) -> None:
    for name in ("one", "two"):
        scaffolding.init(pytester.path / name, Backend.NUMPY)
    solve(pytester.path / "two", "softmax")
    run = pytester.runpytest_subprocess("-k", "softmax and shapes")
    run.assert_outcomes(passed=1, failed=1, deselected=2 * len(STAGES) - 2)
