"""What each event does while watching. Moves on to another exercise only when asked to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Final, Protocol

from attnpack import workspace
from attnpack.commands import explain, hint, listing
from attnpack.errors import BadInputError, OwnFaultError
from attnpack.report import words
from attnpack.report.prose import say
from attnpack.terms import Status
from attnpack.watch.events import (
    Checked,
    Closed,
    Event,
    Key,
    NotChecked,
    NowPolling,
    Saved,
    Traced,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.commands.targets import Target
    from attnpack.pack import Exercise
    from attnpack.report.model import ExerciseReport

KEYS: Final = "h hint  e explain  t trace  f full  n next  l list  c check  a all  q quit"


class Going(Enum):
    """Whether to watch on."""

    ON = auto()
    STOP = auto()


class Bench(Protocol):
    """What the session needs of the world around it."""

    def begin(self, exercises: Sequence[str]) -> int:
        """Start a check, in place of one that is under way; its number comes with its verdict."""
        ...

    def stop(self) -> None:
        """End what is under way, a check or a trace; nothing more is heard of it."""
        ...

    def show(self, checked: Checked) -> None:
        """Show a verdict and remember it."""
        ...

    def show_whole(self) -> None:
        """Show the whole of the last report, of which a small screen holds a part."""
        ...

    def trace(self, exercise: str) -> None:
        """Show the lines of an exercise; `Traced` comes at the end."""
        ...

    def say(self, text: str) -> None:
        """Show a few words."""
        ...


@dataclass
class Session:
    """One run of `attnpack watch`."""

    target: Target
    bench: Bench
    current: Exercise
    last: ExerciseReport | None = None
    """the verdict on `current`; None before its first check"""
    first_words: str = ""
    """said once, under the first verdict"""
    _under_way: tuple[Exercise, ...] = ()
    _number: int = 0

    def start(self) -> None:
        """The first check, without waiting for a save."""
        self._check([self.current])

    def handle(self, event: Event) -> Going:
        """Do what an event asks for."""
        match event:
            case Saved(names):
                self._saved(names)
            case Checked() | NotChecked():
                self._ended(event)
            case Traced():
                self.bench.say(KEYS)
            case NowPolling(reason):
                self.bench.say(f"Looking at the files ten times a second: {reason}.")
            case Closed() | Key("q"):
                self.bench.stop()
                return Going.STOP
            case Key(character):
                self._heard(character)
        return Going.ON

    def _saved(self, names: frozenset[str]) -> None:
        """Check what was saved; a file that is no exercise's belongs to the current one."""
        saved = [e for e in self.target.pack.exercises if e.file in names]
        if not saved or not self.target.path.is_dir():
            saved = [self.current]
        elif self.current not in saved:
            self.current, self.last = saved[0], None
        self._check(list(dict.fromkeys([*self._under_way, *saved])))

    def _heard(self, character: str) -> None:
        """Do what a key asks for; a workspace that is gone meanwhile is told."""
        try:
            self._pressed(character)
        except BadInputError as error:
            self.bench.say(f"{error}\n{KEYS}")

    def _pressed(self, character: str) -> None:
        match character:
            case "h":
                self._hint()
            case "e":
                self._explain()
            case "t":
                self.bench.trace(self.current.name)
            case "f":
                self.bench.show_whole()
                self.bench.say(KEYS)
            case "n":
                self._next()
            case "l":
                listing.show(workspace.find(self.target.path), self.target.pack)
                self.bench.say(KEYS)
            case "c" | "\n" | "\r" | " ":
                self._check([self.current])
            case "a":
                self._check(self._all_exercises())
            case _:
                self.bench.say(KEYS)

    def _check(self, exercises: Sequence[Exercise]) -> None:
        """Begin a check; what a save has interrupted is checked along with what was saved."""
        in_order = [e for e in self.target.pack.exercises if e in exercises]
        self._under_way = tuple(in_order)
        self._number = self.bench.begin([exercise.name for exercise in in_order])

    def _ended(self, event: Checked | NotChecked) -> None:
        if event.number != self._number:
            return
        self._under_way = ()
        match event:
            case Checked(report=report):
                self.bench.show(event)
                self.last = next((e for e in report.exercises if e.name == self.current.name), None)
                self.bench.say("\n".join(filter(None, [self._advice(), self.first_words])))
                self.first_words = ""
            case NotChecked(error=BadInputError() as error):
                self.bench.say(str(error))
            case NotChecked(error=OwnFaultError() as error):
                self.bench.say(f"{error}\n{words.OWN_FAULT} c: try again.")
            case NotChecked(error=error):
                raise error

    def _advice(self) -> str:
        if self.last is not None and self.last.status is Status.PASSED:
            to_come = "n: the next one." if self._later() else self._at_the_end()
            return f"{self.current.name} passes. {to_come}\n{KEYS}"
        at = f"At {self.current.name}{self._named_bug()}."
        return f"{at} Save {self.current.file} to check it again.\n{KEYS}"

    def _named_bug(self) -> str:
        """The diagnosis in a few words: of a long report, the end is what fits on the screen."""
        failing = self.last.failing if self.last else None
        cards = self.target.pack.bugs()
        bug = next((bug for bug in failing.bugs if bug.id in cards), None) if failing else None
        if bug is None:
            return ""
        place = f", {bug.file}:{bug.line}" if bug.file and bug.line else ""
        return f": {cards[bug.id].card.title}{place}"

    def _hint(self) -> None:
        if self.target.workspace is None:
            self.bench.say("Hints are remembered in a workspace. Make one: attnpack init")
            return
        hint.step(workspace.opened(self.target.workspace.root), self.current, more="h")
        self.bench.say(KEYS)

    def _explain(self) -> None:
        failing = self.last.failing if self.last else None
        cards = self.target.pack.bugs()
        named = [bug.id for bug in failing.bugs if bug.id in cards] if failing else []
        if not named:
            self.bench.say(f"The last check named no bug to explain.\n{KEYS}")
            return
        for bug in named:
            say(f"\n{explain.text_of(cards[bug])}")
        self.bench.say(KEYS)

    def _next(self) -> None:
        if self.current in self._under_way:
            self.bench.say(f"{self.current.name} is being checked. n again, once it passes.")
            return
        if self.last is None or self.last.status is not Status.PASSED:
            self.bench.say(
                f"{self.current.name} does not pass yet. To work on another exercise all the same, "
                "save its file."
            )
            return
        later = self._later()
        if later is None:
            self.bench.say(f"{self._at_the_end()}\n{KEYS}")
            return
        self.current, self.last = later, None
        self._check([self.current])

    def _at_the_end(self) -> str:
        looking = ' Then q, and see what you built: attnpack heatmap "the cat sat on the mat"'
        return f"There is no other left. a: check all.{looking if self.target.pack.look else ''}"

    def _all_exercises(self) -> list[Exercise]:
        """The exercises of the workspace; without one, of the chapter that one is at."""
        if self.target.workspace is not None:
            return list(self.target.workspace.exercises)
        return list(self.target.pack.chapter_of(self.current.name).exercises)

    def _later(self) -> Exercise | None:
        """The exercise after the current one; in a workspace, the next that has not passed."""
        exercises = self._all_exercises()
        position = exercises.index(self.current)
        if self.target.workspace is None:
            return next(iter(exercises[position + 1 :]), None)
        here = workspace.opened(self.target.workspace.root)
        in_turn = [*exercises[position + 1 :], *exercises[:position]]
        return next((e for e in in_turn if not here.passes(e)), None)
