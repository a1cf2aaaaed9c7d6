"""`attnpack demo`: the whole loop in a minute, on an attempt that is shipped with attnpack."""

import tempfile
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from attnpack import pack as packs
from attnpack import workspace
from attnpack.commands import check, targets
from attnpack.errors import in_words
from attnpack.pack import Exercise
from attnpack.report.prose import say, wrapped
from attnpack.terms import Backend
from attnpack.workspace import scaffolding

if TYPE_CHECKING:
    from rich.console import RenderableType


@dataclass(frozen=True)
class Mend:
    """One line of the attempt, and what it becomes."""

    exercise: str
    file: str
    wrong: str
    right: str


MENDS = (
    Mend(
        "softmax",
        "softmax.py",
        "    return exponentials / exponentials.sum(axis=-2, keepdims=True)",
        "    return exponentials / exponentials.sum(axis=-1, keepdims=True)",
    ),
    Mend(
        "attention_scores",
        "attention_scores.py",
        "    return Q @ keys_as_columns",
        "    return Q @ keys_as_columns / np.sqrt(d_k)",
    ),
)
SEED = 2017


def demo() -> None:
    """Show the whole thing in a minute: an attempt with two classic bugs, then mended."""
    with tempfile.TemporaryDirectory(prefix="attnpack-demo-") as name:
        folder = Path(name).resolve()
        with in_words(folder):
            _step(
                f"A workspace: {len(_exercises())} exercises, from softmax to multi-head attention."
            )
            _typed("attnpack init")
            scaffolding.init(folder, Backend.NUMPY)
            say(wrapped(f"wrote {', '.join(e.file for e in _exercises())}", "  "))
            _step("Someone has written all of them. Two hold a classic bug. Which, on which line?")
            _write_attempt(folder)
            _check(folder, "attnpack check --keep-going", keep_going=True)
            for mend in MENDS:
                _mend(folder, mend)
                _check(folder, "attnpack check", keep_going=False)
    say("\nThat was the demo; its folder is gone again. Your own workspace:\n")
    say("  attnpack init attention")
    say("  cd attention")
    say("  attnpack check")


def pictures() -> "dict[str, tuple[str, RenderableType]]":
    """What the README shows: a file's name, the command typed, what it draws."""
    from attnpack.checking import one_exercise
    from attnpack.report.glyphs import UNICODE
    from attnpack.report.terminal import Page
    from attnpack.report.traced import Listing

    with tempfile.TemporaryDirectory(prefix="attnpack-demo-") as name:
        folder = Path(name).resolve()
        scaffolding.init(folder, Backend.NUMPY)
        _write_attempt(folder)
        target = _target(folder)
        submission, report = check.run(target, None, SEED, keep_going=True)
        page = Page(check.view_of(report, submission, check.next_steps(report, target), UNICODE))
        traced = one_exercise.annotate(submission, MENDS[0].exercise, SEED, backend=Backend.NUMPY)
    drawn: dict[str, tuple[str, RenderableType]] = {
        "check.svg": ("attnpack check --keep-going", page)
    }
    if traced is not None:
        command = f"attnpack trace {MENDS[0].exercise}"
        drawn["trace.svg"] = (command, Listing(traced, submission, UNICODE))
    return drawn


def _write_attempt(folder: Path) -> None:
    broken = {mend.file for mend in MENDS}
    for exercise in _exercises():
        (folder / exercise.file).write_text(
            _attempt(exercise.file)
            if exercise.file in broken
            else packs.load()
            .reference_path(Backend.NUMPY, exercise.file)
            .read_text(encoding="utf-8"),
            encoding="utf-8",
        )


def _attempt(file: str) -> str:
    return (resources.files("attnpack") / "demo" / f"{file}.txt").read_text(encoding="utf-8")


def _check(folder: Path, command: str, *, keep_going: bool) -> None:
    _typed(command)
    target = _target(folder)
    submission, report = check.run(target, None, SEED, keep_going=keep_going)
    shown = check.view_of(report, submission, check.next_steps(report, target))
    check.show(shown, "", full=True)


def _target(folder: Path) -> targets.Target:
    return targets.Target(folder, (), workspace.find(folder), "", packs.load())


def _exercises() -> tuple[Exercise, ...]:
    """Of the chapter that the attempt is of."""
    return packs.load().chapters[0].exercises


def _mend(folder: Path, mend: Mend) -> None:
    _step(f"{mend.exercise} is mended, one line in {mend.file}:")
    path = folder / mend.file
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(mend.wrong, mend.right), encoding="utf-8")
    say(f"\n  - {mend.wrong.strip()}\n  + {mend.right.strip()}")


def _step(text: str) -> None:
    say(f"\n{wrapped(text)}")


def _typed(command: str) -> None:
    say(f"\n$ {command}\n")
