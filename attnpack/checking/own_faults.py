"""When attnpack itself fails on a submission: it is told to whoever grades, and ends nothing."""

from __future__ import annotations

import sys
import traceback
from typing import TYPE_CHECKING

from attnpack.pack.kinds import Judgement, Verdict
from attnpack.report.untrusted import printable
from attnpack.terms import Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.terms import Stage

BEGINNING = "attnpack failed while it judged this"
SAID = (
    BEGINNING + " ({kind}). That is a fault of attnpack: please report it. "
    "It may not be one of the code: look at it yourself."
)


def tell(error: Exception, where: str) -> str:
    """Print the traceback for whoever grades; the sentence for the report."""
    lines = traceback.format_exception(error)
    print(f"attnpack failed on {printable(where)}; please report this:", file=sys.stderr)
    print("".join(printable(line) for line in lines), file=sys.stderr, flush=True)
    return SAID.format(kind=type(error).__name__)


def not_judged(stages: Sequence[Stage], said: str) -> Judgement:
    """An exercise that could not be judged: an error, for no right code shall pass for wrong."""
    first, *rest = stages
    skipped = tuple(Verdict(stage, Status.SKIPPED) for stage in rest)
    return Judgement((Verdict(first, Status.ERROR, said), *skipped))
