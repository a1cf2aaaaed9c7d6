"""The peers of the bench: the same assertions for all, and what happens where one is missing."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from attnpack import pack
from bench import alternatives, grade
from bench.figures import ALL_WRONG
from bench.peers import PEERS, environment, with_check50, with_nbgrader, with_otter
from bench.peers.assertions import assertions
from bench.peers.environment import Environment, PeerError
from bench.peers.with_pytest import Pytest
from bench.peers.work import judge, prove
from bench.table import Absent

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.exhaustive

RIGHT = grade.reference()
WRONG = ALL_WRONG.read_text(encoding="utf-8")
ONE_BUG = RIGHT.replace("/ np.sqrt(d_k)", "/ d_k")
EXERCISES = [exercise.name for exercise in pack.load().chapters[0].exercises]


class Here(Environment):
    """The interpreter of this run."""

    @property
    def python(self) -> str:
        return sys.executable


@pytest.fixture
def fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """No environment can be made."""
    said = "import sys; sys.exit('some words\\nERROR: no matching distribution')"
    monkeypatch.setattr(environment, "MAKE", (sys.executable, "-c", said))


def test_the_assertions_are_those_that_pytest_runs() -> None:
    asked = assertions()
    assert asked.calls == (
        *(f"test_softmax({shape})" for shape in ("(3, 5)", "(2, 3, 5)", "(2, 3, 4, 5)")),
        *(f"test_attention({lead})" for lead in ("()", "(2,)", "(2, 3)")),
        *(f"test_mask({n})" for n in (1, 5, 33)),
        *(f"test_classes({n})" for n in (1, 5, 33)),
    )
    assert set(asked.names) == set(EXERCISES)
    assert "pytest" not in asked.source


def holds(text: str) -> list[bool]:
    """Of each assertion, whether it holds of a submission."""
    asked = assertions()
    module: dict[str, Any] = {}
    exec(f"{text}\n{asked.source}", module)
    return [_passes(call, module) for call in asked.calls]


def _passes(call: str, module: dict[str, Any]) -> bool:
    try:
        eval(call, module)
    except AssertionError:
        return False
    return True


def test_the_assertions_hold_of_the_reference_and_not_of_an_attempt_that_is_wrong() -> None:
    assert all(holds(RIGHT))
    # A sequence of one has nothing to look ahead at.
    assert [call for call, held in zip(assertions().calls, holds(WRONG), strict=True) if held] == [
        "test_classes(1)"
    ]
    assert holds(ONE_BUG) == [True] * 3 + [False] * 3 + [True] * 6


def test_a_test_file_that_cannot_be_taken_apart_is_refused() -> None:
    text = '"""Words."""\n@pytest.mark.skip\ndef test_nothing(): pass\n'
    with pytest.raises(ValueError, match="test_nothing is not parametrized by one list"):
        assertions(text)


@pytest.mark.parametrize(("text", "passes"), [(RIGHT, True), (WRONG, False), (ONE_BUG, False)])
def test_pytest_judges_a_submission_by_the_file(tmp_path: Path, text: str, passes: bool) -> None:
    work = Pytest().work(Here(tmp_path / "env"), tmp_path / "work", [text])
    assert judge(work) is passes


def test_a_peer_that_does_not_tell_right_from_wrong_is_not_measured(tmp_path: Path) -> None:
    with pytest.raises(PeerError, match="fails the reference"):
        prove(Pytest(), Here(tmp_path), tmp_path / "one", WRONG, WRONG)
    with pytest.raises(PeerError, match="passes what is wrong"):
        prove(Pytest(), Here(tmp_path), tmp_path / "two", RIGHT, RIGHT)


def test_a_peer_that_does_not_run_says_why(tmp_path: Path) -> None:
    with pytest.raises(PeerError, match="does not run") as raised:
        prove(PEERS["check50"], Environment(tmp_path / "empty"), tmp_path / "work", RIGHT, WRONG)
    assert raised.value.word == "broken"


@pytest.mark.usefixtures("fails")
def test_a_peer_that_cannot_be_installed_is_skipped_and_the_next_one_tried(tmp_path: Path) -> None:
    said: list[str] = []
    envs, place = tmp_path / "envs", tmp_path / "place"
    standings = alternatives.stand(["pytest", "check50"], envs, place, RIGHT, WRONG, said.append)
    reason = "could not be installed: ERROR: no matching distribution"
    assert standings == {name: Absent(name, "absent", reason) for name in ("pytest", "check50")}
    assert alternatives.ready(standings, "pytest") is None
    cpu = alternatives.cpu("pytest", standings["pytest"], place, RIGHT, 1)
    assert cpu is standings["pytest"]


def test_an_environment_that_is_there_is_not_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[tuple[str, ...]] = []

    def run(command: Any) -> None:
        ran.append(tuple(command))
        (tmp_path / made_name).mkdir(exist_ok=True)

    made_name = f"peer-{sys.version_info.major}.{sys.version_info.minor}"
    monkeypatch.setattr(environment, "_run", run)
    made = environment.make(tmp_path, "peer", ("first",))
    assert len(ran) == 2
    assert environment.make(tmp_path, "peer", ("first",)) == made
    assert len(ran) == 2
    environment.make(tmp_path, "peer", ("other",))
    assert len(ran) == 4


@pytest.mark.parametrize(
    "render", [with_check50._checks, lambda: with_otter._test_file(assertions())]
)
def test_the_files_of_a_peer_are_python_and_make_every_call(render: Callable[[], str]) -> None:
    text = render()
    compile(text, "checks.py", "exec")
    assert all(f"lambda: {call}" in text for call in assertions().calls)


def test_the_notebook_of_nbgrader_has_a_point_for_every_call() -> None:
    cells = with_nbgrader._notebook(assertions(), RIGHT)["cells"]
    graded = [c["source"] for c in cells if c["metadata"]["nbgrader"]["grade"]]
    assert graded == list(assertions().calls)
    assert [c["source"] for c in cells if c["metadata"]["nbgrader"]["solution"]] == [RIGHT]


@pytest.mark.parametrize(
    ("grades", "passes"), [("12.0,12.0\n12.0,12.0\n", True), ("12.0,12.0\n11.0,12.0\n", False)]
)
def test_the_grades_of_nbgrader_are_read(tmp_path: Path, grades: str, passes: bool) -> None:
    path = tmp_path / "grades.csv"
    path.write_text(f"score,max_score\n{grades}", encoding="utf-8")
    assert with_nbgrader._passed(path, 2) is passes
    with pytest.raises(PeerError, match="graded 2 of 3"):
        with_nbgrader._passed(path, 3)


@pytest.mark.parametrize(("second", "passes"), [(True, True), (False, False), (None, False)])
def test_the_results_of_check50_are_read(tmp_path: Path, second: bool | None, passes: bool) -> None:
    path = tmp_path / "said.json"
    with pytest.raises(PeerError, match="it said nothing"):
        with_check50._passed(path)
    path.write_text(json.dumps({"results": [{"passed": True}, {"passed": second}]}))
    assert with_check50._passed(path) is passes
    path.write_text(json.dumps({"error": {"value": "no such slug"}}))
    with pytest.raises(PeerError, match="no such slug"):
        with_check50._passed(path)


def test_the_results_of_otter_are_read(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    with pytest.raises(PeerError, match="wrote no results"):
        with_otter._passed(path)
    for score, passes in ((12.0, True), (11.0, False)):
        path.write_text(json.dumps({"tests": [{}, {"score": score, "max_score": 12.0}]}))
        assert with_otter._passed(path) is passes


def test_every_exercise_of_the_wrong_attempt_fails_its_check() -> None:
    command = [sys.executable, "-m", "attnpack", "check", str(ALL_WRONG), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    statuses = {e["name"]: e["status"] for e in json.loads(done.stdout)["exercises"]}
    assert statuses == dict.fromkeys(EXERCISES, "failed")
