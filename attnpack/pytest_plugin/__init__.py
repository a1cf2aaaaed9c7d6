"""The pytest plugin: every exercise and stage of a workspace as a test of its own.

A test function `test_EXERCISE(attnpack_stage)` becomes one test for each stage. The exercises that
were selected are checked once, at the first of their tests, by `attnpack.pytest_plugin.verdicts` in
a process of its own: none of the learner's files is imported here.

Where no test asks for `attnpack_stage`, this costs the import of this module.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

FIXTURE: Final = "attnpack_stage"
TEST_FILE: Final = "test_exercises.py"
_FAULT: Final = "fault"
_WAIT_S: Final = 600.0
"""how long one xdist worker waits for the verdicts of another"""


@dataclass(frozen=True)
class Verdict:
    """How one stage of one exercise ended."""

    status: str
    text: str
    """what the learner is told; empty where it passed"""
    failing: str
    """the first stage of the exercise that did not pass; empty where all did"""


Verdicts = dict[str, dict[str, Verdict]]
_VERDICTS: Final = pytest.StashKey[dict[Path, Verdicts]]()


@dataclass(frozen=True)
class Stage:
    """What a test in `test_exercises.py` is given."""

    name: str
    verdicts: Mapping[str, Verdict]
    selected: frozenset[str]
    """the stages of this exercise that this run of pytest was asked about"""

    def must_pass(self) -> None:
        """Fail the test with the diagnosis; skip it where that stands at an earlier stage."""
        verdict = self.verdicts[self.name]
        if verdict.status == "passed":
            return
        if verdict.status == "skipped":
            if verdict.failing in self.selected:
                pytest.skip(f"not reached: {verdict.failing} comes first")
            verdict = self.verdicts[verdict.failing]
        pytest.fail(verdict.text, pytrace=False)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each stage that has something to ask of the exercise."""
    if FIXTURE not in metafunc.fixturenames:
        return
    folder = metafunc.definition.path.parent
    name = metafunc.definition.originalname.removeprefix("test_")
    with _out_of_reach(folder):
        from attnpack.errors import BadInputError
        from attnpack.pytest_plugin import verdicts

        try:
            stages = verdicts.stages(folder, name)
        except BadInputError as error:
            pytest.fail(str(error), pytrace=False)
    metafunc.parametrize(FIXTURE, stages, indirect=True, ids=stages)


def pytest_collectstart(collector: pytest.Collector) -> None:
    """Forget the `test_exercises` of another workspace, for pytest imports by the bare name."""
    if isinstance(collector, pytest.Module) and collector.path.name == TEST_FILE:
        known = sys.modules.get(collector.path.stem)
        if known is not None and getattr(known, "__file__", None) != str(collector.path):
            del sys.modules[collector.path.stem]


@contextmanager
def _out_of_reach(folder: Path) -> Iterator[None]:
    """Import libraries, and no file of the learner's that is named like one."""
    before = sys.path[:]
    sys.path[:] = _others(before, folder)
    try:
        yield
    finally:
        sys.path[:] = before


def _others(entries: Sequence[str], folder: Path) -> list[str]:
    """The entries of an import path that are not this folder."""
    return [entry for entry in entries if Path(entry).resolve() != folder.resolve()]


@pytest.fixture
def attnpack_stage(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Stage:
    """One stage of the exercise that the test function names."""
    own = _stage_test(request.node)
    ours = [_stage_test(item) for item in request.session.items if FIXTURE in _parameters(item)]
    together = [test for test in ours if test.folder == own.folder]
    known = request.config.stash.setdefault(_VERDICTS, {})
    if own.folder not in known:
        known[own.folder] = {}
        shared = _shared(own.folder, tmp_path_factory) if _is_worker(request.config) else None
        exercises = list(dict.fromkeys(test.exercise for test in together))
        known[own.folder] = _read(_judged_once(own.folder, exercises, shared))
    if own.exercise not in known[own.folder]:
        pytest.fail("not judged: the first error of this run says why", pytrace=False)
    selected = frozenset(test.stage for test in together if test.exercise == own.exercise)
    return Stage(own.stage, known[own.folder][own.exercise], selected)


class _StageTest(NamedTuple):
    """What one of our tests is about."""

    folder: Path
    exercise: str
    stage: str


def _stage_test(item: pytest.Item) -> _StageTest:
    assert isinstance(item, pytest.Function)
    exercise = item.originalname.removeprefix("test_")
    return _StageTest(item.path.parent, exercise, _parameters(item)[FIXTURE])


def _parameters(item: pytest.Item) -> Mapping[str, str]:
    callspec = getattr(item, "callspec", None)
    return callspec.params if callspec is not None else {}


def _is_worker(config: pytest.Config) -> bool:
    """Whether pytest-xdist runs the tests in several processes, and this is one of them."""
    return hasattr(config, "workerinput")


def _shared(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the workers of one run find the verdicts on a folder."""
    name = f"attnpack-{zlib.crc32(str(folder).encode())}.json"
    return tmp_path_factory.getbasetemp().parent / name


def _judged_once(folder: Path, exercises: Sequence[str], shared: Path | None) -> str:
    """The verdicts; of several workers one asks for them, and the others read what it wrote."""
    if shared is None:
        return _judged(folder, exercises)
    try:
        shared.with_suffix(".claimed").touch(exist_ok=False)
    except FileExistsError:
        return _awaited(shared) or _judged(folder, exercises)
    text = _judged(folder, exercises)
    unfinished = shared.with_suffix(".unfinished")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(shared)
    return text


def _awaited(shared: Path) -> str | None:
    end = time.monotonic() + _WAIT_S
    while time.monotonic() < end:
        if shared.exists():
            return shared.read_text(encoding="utf-8")
        time.sleep(0.05)
    return None


def _judged(folder: Path, exercises: Sequence[str]) -> str:
    """What the judging process prints, or its fault."""
    path = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    done = subprocess.run(
        [sys.executable, "-P", "-m", "attnpack.pytest_plugin.verdicts", str(folder), *exercises],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(_others(path, folder))},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    if done.returncode or not done.stdout:
        return json.dumps({_FAULT: done.stderr.strip() or "The judging ended without a word."})
    return done.stdout


def _read(text: str) -> Verdicts:
    """A fault of the judging is an error of the test, and no failure."""
    told = json.loads(text)
    if _FAULT in told:
        pytest.fail(told[_FAULT], pytrace=False)
    return {
        exercise: {stage: Verdict(**verdict) for stage, verdict in stages.items()}
        for exercise, stages in told.items()
    }
