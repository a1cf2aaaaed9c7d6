"""otter-grader run on one submission without a container: `otter run`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bench.peers.assertions import MODULE, Assertions, assertions
from bench.peers.environment import PeerError
from bench.peers.work import Work, in_folder, prepared

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bench.peers.environment import Environment

TEST_FILE = """\
from otter.test_files import test_case

OK_FORMAT = False
name = "{name}"
points = {points}

{source}


def judged(env, test):
    globals().update({{name: env[name] for name in {names}}})
    test()
"""

CASE = """

@test_case(points=1)
def case_{number}(env):
    judged(env, lambda: {call})
"""


class Otter:
    name = "otter-grader"
    packages = ("otter-grader>=5,<7", "ipykernel>=6,<8")
    together = False

    def work(self, environment: Environment, place: Path, texts: Sequence[str]) -> Work:
        (text,) = texts
        tests, out = place / "tests", place / "out"
        for folder in (tests, out):
            folder.mkdir(parents=True)
        submission = place / f"{MODULE}.py"
        submission.write_text(text, encoding="utf-8")
        (tests / "q1.py").write_text(_test_file(assertions()), encoding="utf-8")
        program, environ = environment.program("otter"), in_folder(environment, place)
        prepared((program, "generate", "-t", "tests", "-o", "autograder.zip"), place, environ)
        options = ("--no-logo", "-a", "autograder.zip", "-o", "out")
        command = (program, "run", *options, submission.name)
        return Work(command, place, environ, lambda _: _passed(out / "results.json"))


def _test_file(asked: Assertions) -> str:
    text = TEST_FILE.format(
        name="q1", points=len(asked.calls), source=asked.source, names=asked.names
    )
    return text + "".join(CASE.format(number=n, call=call) for n, call in enumerate(asked.calls))


def _passed(results: Path) -> bool:
    if not results.exists():
        raise PeerError("broken", "wrote no results")
    tests = [t for t in json.loads(results.read_text(encoding="utf-8"))["tests"] if "score" in t]
    if not tests:
        raise PeerError("broken", "judged nothing")
    return all(test["score"] == test["max_score"] for test in tests)
