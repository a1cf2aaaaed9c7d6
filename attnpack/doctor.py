"""What is well and what is wrong with this installation; every finding says what to do."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from attnpack import __version__, workspace
from attnpack import pack as packs
from attnpack.errors import BadInputError
from attnpack.report import glyphs
from attnpack.terms import Backend
from attnpack.workspace import progress

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from attnpack.pack import Pack

WANTED: Final = {
    "numpy": "pip install -U 'attnpack'",
    "typer": "pip install -U 'attnpack'",
    "rich": "pip install -U 'attnpack'",
    "matplotlib": "pip install -U 'attnpack'",
}
OPTIONAL: Final = {
    "torch": "for the torch track: pip install 'attnpack[torch]'",
    "watchfiles": "without it `watch` looks ten times a second: pip install 'attnpack[watch]'",
}


class Health(StrEnum):
    """How a finding is to be taken."""

    WELL = "well"
    NOTE = "note"
    WRONG = "wrong"


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at."""

    subject: str
    health: Health
    said: str


def findings(here: Path) -> Iterator[Finding]:
    """Everything that is looked at, the installation first."""
    yield _python()
    pack = packs.load()
    yield Finding("attnpack", Health.WELL, f"{__version__}, pack {pack.fingerprint()[:19]}")
    yield _pack(pack)
    yield from (_library(name, advice, Health.WRONG) for name, advice in WANTED.items())
    yield from (_library(name, advice, Health.NOTE) for name, advice in OPTIONAL.items())
    yield _guest()
    yield _isolation()
    yield _terminal()
    yield from _workspace(here)


def _python() -> Finding:
    said = f"{platform.python_version()} on {platform.system()}, {sys.executable}"
    return Finding("python", Health.WELL, said)


def _pack(pack: Pack) -> Finding:
    missing = [
        f"{kind} of {exercise.file} for {backend}"
        for exercise in pack.exercises
        for backend in exercise.backends
        for kind, path in (
            ("stub", pack.stub_path(backend.value, exercise.file)),
            ("solution", pack.reference_path(backend.value, exercise.file)),
        )
        if not path.is_file()
    ]
    if missing:
        what = ", ".join(missing)
        advice = "pip install --force-reinstall attnpack"
        return Finding("exercises", Health.WRONG, f"missing: {what}. Repair it: {advice}")
    count, bugs = len(pack.exercises), len(pack.bugs())
    return Finding("exercises", Health.WELL, f"{count} exercises, {bugs} bugs")


def _library(name: str, advice: str, otherwise: Health) -> Finding:
    try:
        return Finding(name, Health.WELL, importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return Finding(name, otherwise, f"not installed; {advice}")


def _guest() -> Finding:
    """Whether learner code can be run in a process of its own at all."""
    from attnpack.calls import Call, Outcome, Task
    from attnpack.host.pool import open_pool

    source = "def softmax(scores):\n    return scores\n"
    question = Call("one", "softmax", (1.0,))
    task = Task("softmax", "softmax.py", {"softmax.py": source}, Backend.NUMPY, (question,))
    with open_pool(Backend.NUMPY) as guests:
        transcript = guests.run(task)
    answer = transcript.answers.get("one")
    if answer is not None and answer.outcome is Outcome.RETURNED:
        return Finding("your code", Health.WELL, "runs in a process of its own")
    reason = transcript.fault or "no answer came back"
    return Finding(
        "your code",
        Health.WRONG,
        f"cannot be run: {reason}. Does this work: {sys.executable} -c 'import numpy'",
    )


def _isolation() -> Finding:
    from attnpack.guest.confine.policy import Tier
    from attnpack.host.isolation import probe

    found = probe()
    if found.tier is Tier.PROCESS:
        said = f"{found.tier}: enough for your own code; to grade others' code use Linux"
        return Finding("isolation", Health.NOTE, said)
    return Finding("isolation", Health.WELL, f"{found.tier}: others' code can be graded here")


def _terminal() -> Finding:
    encoding = sys.stdout.encoding or "unknown"
    parts = [f"encoding {encoding}", "a terminal" if sys.stdout.isatty() else "a pipe"]
    if "NO_COLOR" in os.environ:
        parts.append("NO_COLOR is set")
    said = ", ".join(parts)
    if glyphs.for_encoding(sys.stdout.encoding) is glyphs.ASCII:
        advice = "signs are drawn in ASCII; for the others set PYTHONUTF8=1"
        return Finding("terminal", Health.NOTE, f"{said}; {advice}")
    return Finding("terminal", Health.WELL, said)


def _workspace(here: Path) -> Iterator[Finding]:
    try:
        found = workspace.find(here)
    except BadInputError as error:
        yield Finding("workspace", Health.WRONG, str(error))
        return
    if found is None:
        yield Finding("workspace", Health.NOTE, "none here; make one: attnpack init")
        return
    yield Finding("workspace", Health.WELL, f"{found.root}, {found.backend}")
    if found.state.pack != found.pack.fingerprint():
        yield Finding("stubs", Health.NOTE, "of another attnpack; bring these in: attnpack update")
    broken = sorted((found.root / progress.FOLDER).glob("state.json.broken-*"))
    if broken:
        names = ", ".join(path.name for path in broken)
        said = f"{names} could not be read once and was set aside; delete it if you miss nothing"
        yield Finding("state", Health.NOTE, said)
    shadowing = [name for name in (*WANTED, "torch") if (found.root / f"{name}.py").exists()]
    if shadowing:
        said = f"{shadowing[0]}.py in your workspace hides the library; rename it"
        yield Finding("files", Health.WRONG, said)
