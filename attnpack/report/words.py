"""The sentences around a diagnosis, in one place. What a single bug has to say is on its card.

Texts only: nothing here imports numpy or rich.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attnpack.terms import Match, Proof, Stage, Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from attnpack.calls import Raised
    from attnpack.report.model import CheckReport, Spot

STATUS_WORD: Final[Mapping[Status, str]] = {
    Status.PASSED: "passed",
    Status.FAILED: "failed",
    Status.ERROR: "error",
    Status.NOT_STARTED: "not started",
    Status.SKIPPED: "skipped",
}

STATUS_MARK: Final[Mapping[Status, str]] = {
    Status.PASSED: "✓",
    Status.FAILED: "✗",
    Status.ERROR: "!",
    Status.NOT_STARTED: "·",
    Status.SKIPPED: "-",
}

STATUS_MARK_ASCII: Final[Mapping[Status, str]] = {
    **STATUS_MARK,
    Status.PASSED: "ok",
    Status.FAILED: "x",
    Status.NOT_STARTED: ".",
}
"""For terminals that cannot print the others."""

RIGHT_ANYWAY: Final = "would pass"
"""of a check that is right, but waits for an earlier one that is not"""
RIGHT_ANYWAY_MARK: Final = "(✓)"
RIGHT_ANYWAY_MARK_ASCII: Final = "(ok)"
NOT_REACHED: Final = "not reached"

MATCH_WORD: Final[Mapping[Match, str]] = {
    Match.EXACT: "exact: a model of this bug reproduces your numbers on every probe",
    Match.LIKELY: "likely: the symptom fits, but your numbers do not prove it",
    Match.UNKNOWN: "unknown: no bug in the catalogue gives these numbers",
}

GOT: Final = "what came"
EXPECTED: Final = "what was expected"
BUG: Final = "the bug"
HURTS: Final = "why it hurts"
WHY: Final = "why"
FIX: Final = "what to do"
LOOK_AT: Final = "look at"
PROOF: Final = "the proof"
READ_ON: Final = "read on"
EXAMPLE: Final = "in numbers"
PRINTED: Final = "printed by your code"
NOTES: Final = "worth knowing, nothing failed"

TOGETHER: Final = "Two bugs together explain the numbers; each is needed."
EQUALS: Final = "The same numbers can also come from {ids}; your line shows which one it is."
NO_LINE: Final = "The line could not be traced; the numbers above are all there is to go by."
ALL_PASSED: Final = "All {count} exercises passed."
OWN_FAULT: Final = (
    "This is a fault of attnpack, not of your code, and it costs you nothing. "
    "Your files are untouched."
)


def stage_label(stage: str) -> str:
    """A stage as a reader sees it: "row sums". What was read from JSON knows its name alone."""
    return stage.label if isinstance(stage, Stage) else stage.replace("_", " ")


def outcome(check: CheckReport) -> str:
    """How a check ended, in the words that every page and table has for it."""
    if check.status is Status.SKIPPED:
        return RIGHT_ANYWAY if check.would_pass else NOT_REACHED
    return STATUS_WORD[check.status]


def match_sentence(match: Match, together: bool = False) -> str:
    """How sure the diagnosis is, for one bug or for one of two."""
    if match is Match.EXACT and together:
        return "exact: models of both bugs together reproduce your numbers on every probe"
    return MATCH_WORD[match]


def not_started(exercise: str, file: str, nearly: tuple[str, str] | None) -> str:
    """The stub is untouched or the name is missing; `nearly` is a name like it, and its place."""
    if nearly is None:
        return f"{exercise} is not written yet: define it in {file}, then save and check again."
    name, place = nearly
    return f"There is no {exercise} yet. I see {name} ({place}): did you mean {exercise}?"


def skipped(because: str) -> str:
    """A stage or an exercise that an earlier one stopped; `because` names it."""
    return f"Not reached: {because} comes first. Add --keep-going to check the rest anyway."


def stand_ins(names: Sequence[str]) -> str:
    """Earlier exercises that do not pass yet and were replaced while this one was judged."""
    verb = "does not pass yet, so the reference stood in for it"
    if len(names) > 1:
        verb = "do not pass yet, so the reference stood in for them"
    return f"{listed(names)} {verb}: this result is about this exercise alone."


def stood_in(exercises: Sequence[str], names: Sequence[str]) -> str:
    """Which exercises were judged with the reference in the place of which earlier ones."""
    verb = "does" if len(names) == 1 else "do"
    return (
        f"In {listed(exercises)} the reference stood in for {listed(names)}, "
        f"which {verb} not pass yet: each exercise is judged alone."
    )


def proof(spot: Spot | None) -> str:
    """What proves that an expression is the one at fault; nothing where it is not proven."""
    if spot is None or spot.proof is not Proof.REPLACED:
        return ""
    return f"with the right value here, all {spot.answers} answers are right"


def raised(error: Raised) -> str:
    """An exception out of the learner's code, with the innermost of the learner's own lines."""
    message = first_line(error.message)
    said = f"{error.type}: {message}" if message else error.type
    if not error.frames:
        return f"Your code raised {said}"
    frame = error.frames[-1]
    return f"Your code raised {said} ({frame.file}, line {frame.line}, in {frame.function})"


def never_returns(call: str, seconds: float) -> str:
    """A call that ran past its time."""
    return (
        f"{call} had not returned after {seconds:g} s of computing and was stopped. "
        "The sizes are small, so this is a loop that does not end rather than slow code."
    )


def ends_process(call: str) -> str:
    """A call after which the process was gone."""
    return (
        f"The Python process was gone after {call}. Look for exit(), quit(), sys.exit() or "
        "os._exit(), or for recursion without an end. Return a value or raise an exception instead."
    )


def listed(names: Sequence[str]) -> str:
    """The names as they stand in a sentence: "a", "a and b", "a, b and c"."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def first_line(text: str) -> str:
    """The first line of an exception's message; the traceback has the rest."""
    return text.strip().splitlines()[0] if text.strip() else ""
