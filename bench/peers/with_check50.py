"""check50 run locally, with a problem set of the same assertions."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from bench.peers.assertions import MODULE, assertions
from bench.peers.environment import PeerError
from bench.peers.work import Work

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bench.peers.environment import Environment

CONFIGURATION = f"""\
check50:
  checks: checks.py
  files:
    - !exclude "*"
    - !require {MODULE}.py
"""

CHECKS = """\
import check50
import check50.py

{source}


def judged(test, *arguments):
    submission = check50.py.import_("{module}.py")
    globals().update({{name: getattr(submission, name) for name in {names}}})
    try:
        test(*arguments)
    except AssertionError as error:
        raise check50.Failure(str(error)) from error


@check50.check()
def exists():
    check50.exists("{module}.py")
"""

CHECK = """

@check50.check(exists)
def check_{number}():
    judged(lambda: {call})
"""


class Check50:
    name = "check50"
    packages = ("check50>=3.3,<4",)
    together = False

    def work(self, environment: Environment, place: Path, texts: Sequence[str]) -> Work:
        (text,) = texts
        problem, submission, said = place / "problem", place / "submission", place / "said.json"
        for folder in (problem, submission):
            folder.mkdir(parents=True)
        (submission / f"{MODULE}.py").write_text(text, encoding="utf-8")
        (problem / ".cs50.yml").write_text(CONFIGURATION, encoding="utf-8")
        (problem / "checks.py").write_text(_checks(), encoding="utf-8")
        program = environment.program("check50")
        options = ("--dev", "--log-level", "error", "-o", "json", "--output-file", str(said))
        command = (program, *options, "--", str(problem))
        return Work(command, submission, environment.activated, lambda _: _passed(said))


def _checks() -> str:
    asked = assertions()
    text = CHECKS.format(source=asked.source, module=MODULE, names=asked.names)
    return text + "".join(CHECK.format(number=n, call=call) for n, call in enumerate(asked.calls))


def _passed(said: Path) -> bool:
    results = json.loads(said.read_text(encoding="utf-8")) if said.exists() else {}
    if "results" not in results:
        reason = results.get("error", {}).get("value", "it said nothing")
        raise PeerError("broken", f"does not run: {reason}")
    return all(result["passed"] for result in results["results"])
