"""When attnpack itself fails on a submission: it is told to whoever grades, and ends nothing."""

from __future__ import annotations

import sys
import traceback
from typing import TYPE_CHECKING, TypeVar

from attnpack.pack.kinds import Judgement, Verdict
from attnpack.report.untrusted import printable
from attnpack.terms import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from attnpack.terms import Stage

BEGINNING = "attnpack failed while it judged this"
SAID = (
    BEGINNING + " ({kind}). That is a fault of attnpack: please report it. "
    "It may not be one of the code: look at it yourself."
)
NOT_WRITTEN = (
    "attnpack failed while it wrote this ({kind}). That is a fault of attnpack: please report it. "
    "The mark stands."
)
Made = TypeVar("Made")


def tell(error: Exception, where: str) -> str:
    """Print the traceback for whoever grades; the sentence for the report."""
    lines = traceback.format_exception(error)
    print(f"attnpack failed on {printable(where)}; please report this:", file=sys.stderr)
    print("".join(printable(line) for line in lines), file=sys.stderr, flush=True)
    return SAID.format(kind=type(error).__name__)


def fenced(make: Callable[[], Made], otherwise: Callable[[str], Made], where: str) -> Made:
    """What is made. Where attnpack fails at it, that is told, and `otherwise` gets the sentence."""
    try:
        return make()
    except Exception as error:  # noqa: BLE001  one page that cannot be made ends no other
        tell(error, where)
        return otherwise(NOT_WRITTEN.format(kind=type(error).__name__))


def not_judged(stages: Sequence[Stage], said: str) -> Judgement:
    """An exercise that could not be judged: an error, for no right code shall pass for wrong."""
    first, *rest = stages
    skipped = tuple(Verdict(stage, Status.SKIPPED) for stage in rest)
    return Judgement((Verdict(first, Status.ERROR, said), *skipped))
