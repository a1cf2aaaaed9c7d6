"""Places of failures before any line of an exercise could compute: a call that does not fit its
`def`, a matrix that the constructor leaves out, a breakpoint that was left in.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attnpack.calls import Answer, Raised
    from attnpack.diagnosis.source_lines import Definition, Place

DEBUGGER_LEFT = "BdbQuit"
"""what `breakpoint()` ends with where nobody can type"""
STOPS = ("breakpoint", "set_trace")
_CALLED = re.compile(r"(?:\w+\.)*(\w+)\(\)")
"""the function that Python names in the message of a call that does not fit: `A.forward() got`"""


def place_of(answer: Answer, spans: Definition) -> Place | None:
    """Where such a failure is; None for any other."""
    raised = answer.raised
    if raised is None:
        return _constructor(spans) if answer.facts.get("missing") else None
    if raised.type == DEBUGGER_LEFT:
        return _breakpoint(raised, spans)
    if raised.type == "TypeError" and not raised.frames:
        named = _CALLED.match(raised.message)
        return (spans.definition_of(named[1]) if named else None) or spans.start
    return None


def _constructor(spans: Definition) -> Place | None:
    return spans.constructor or spans.start


def _breakpoint(raised: Raised, spans: Definition) -> Place | None:
    """The last call that stops, above the line that was reached."""
    reached = raised.frames[-1].line if raised.frames else None
    places = [p for p in spans.calls_of(*STOPS) if reached is None or p.line <= reached]
    return max(places, key=lambda place: place.line, default=None)
