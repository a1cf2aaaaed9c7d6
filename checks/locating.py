"""From a trace to the learner's line.

Where the models are known, the line is the first whose value is the modelled wrong one; where
the bug is a step left out, the last whose value should have gone through it. Without a model
it is the first line that departs from everything right. Bugs that sit in a constructor or end
the process are found in the source.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from attnpack.diagnosis import entrances
from attnpack.diagnosis.lines import (
    CLOSED,
    Library,
    first_departing,
    first_equal,
    is_filling,
    is_neutral,
    last_equal,
)
from attnpack.diagnosis.source_lines import Definition, Place, definition
from attnpack.terms import Backend

from . import chance
from .bugs import catalogue
from .bugs.where import Value
from .landmarks import Landmark, right_library, wrong_landmarks
from .tracing import Chosen, choose, events_of, model_of, shows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from attnpack.calls import TraceEvent, Transcript
    from attnpack.pack.kinds import Plan, Source, Suspect, Verdict

_BUFFERED = ("attended", "joined", "output")
"""what loops over heads or samples write piece by piece: a half-filled buffer proves nothing"""


@dataclass(frozen=True)
class Traced:
    """The events of one traced call, with what is right there."""

    chosen: Chosen
    events: Sequence[TraceEvent]
    right: Library
    departing: TraceEvent | None


def locate(
    plan: Plan,
    transcript: Transcript,
    traced: Transcript,
    verdict: Verdict,
    suspects: Sequence[Suspect],
    source: Source,
) -> Sequence[Suspect]:
    """The same suspects, each with the best line that is known for it."""
    spans = definition(source, plan.exercise)
    entrance = entrances.place_of(verdict.answer or transcript.loaded, spans)
    raised = entrance or _raising_line(verdict, transcript, spans)
    calls = list(_traced_calls(plan, transcript, traced, verdict, suspects, spans))
    located = []
    if plan.backend is not Backend.TORCH:
        lost = chance.any_nan(transcript.answers.values())
        suspects = [chance.renamed(suspect, spans, lost=lost) for suspect in suspects]
    for suspect in suspects:
        place = _known_line(suspect) or raised or _told_line(suspect, verdict, transcript)
        place = place or _traced_line(suspect, calls)
        place = place or catalogue()[suspect.id].where.written(spans)
        located.append(
            suspect if place is None else replace(suspect, file=place.file, line=place.line)
        )
    return located


def _raising_line(verdict: Verdict, transcript: Transcript, spans: Definition) -> Place | None:
    """The innermost learner's frame, inside the exercise where one is."""
    answer = verdict.answer or transcript.loaded
    raised = answer.raised or answer.backward_raised
    if raised is None or not raised.frames:
        return None
    places = [Place(frame.file, frame.line) for frame in raised.frames]
    inside = [place for place in places if not spans.is_another(place)]
    return (inside or places)[-1]


def _known_line(suspect: Suspect) -> Place | None:
    if suspect.file is None or suspect.line is None:
        return None
    return Place(suspect.file, suspect.line)


def _told_line(suspect: Suspect, verdict: Verdict, transcript: Transcript) -> Place | None:
    """What the guest noted down: of a ready-made call, of where time ran out."""
    told = catalogue()[suspect.id].where.told
    answers = (verdict.answer or transcript.loaded, *transcript.answers.values())
    return next((place for place in map(told, answers) if place is not None), None)


def _traced_calls(
    plan: Plan,
    transcript: Transcript,
    traced: Transcript,
    verdict: Verdict,
    suspects: Sequence[Suspect],
    spans: Definition,
) -> Iterator[Traced]:
    for chosen in choose(plan, transcript, verdict, suspects):
        answer = events_of(traced, chosen)
        if answer is None or not answer.events:
            continue
        events = [event for event in answer.events if not spans.is_another(_place(event))]
        right = right_library(chosen.probe, chosen.index)
        yield Traced(chosen, events, right, first_departing(events, right))


def _place(event: TraceEvent) -> Place:
    return Place(event.file, event.line)


def _traced_line(suspect: Suspect, calls: Sequence[Traced]) -> Place | None:
    value = catalogue()[suspect.id].where.value
    showing = [call for call in calls if shows(suspect, call.chosen)]
    for call in showing:
        event = _CHOOSERS[value](call) if value is not None else None
        if event is None and suspect.evidence is not None:
            event = _modelled_line(suspect, call)
        if event is not None:
            return _place(_or_caller(event, call))
    for call in showing:
        if call.departing is not None:
            return _place(_or_caller(call.departing, call))
    return None


def _or_caller(event: TraceEvent, call: Traced) -> TraceEvent:
    """The line that called a function which gave right results as often as this wrong one."""
    here = [
        e for e in call.events if (e.line, e.name, e.file) == (event.line, "return", event.file)
    ]
    if event.depth == 0 or event.name != "return":
        return event
    right = sum(call.right.holds(each.array) for each in here)
    if 2 * right < len(here):
        return event
    later = call.events[call.events.index(event) + 1 :]
    outer = next((each for each in later if each.depth < event.depth), None)
    return event if outer is None else _or_caller(outer, call)


def _modelled_line(suspect: Suspect, call: Traced) -> TraceEvent | None:
    """Landmarks of the replaced steps first, what follows from them afterwards."""
    explanation = suspect.evidence
    model = model_of(explanation, suspect.id)
    models = (*explanation.models, explanation.style)
    landmarks = wrong_landmarks(call.chosen.probe, call.chosen.index, models, call.right)
    pipeline = call.chosen.probe.exercise.pipeline
    own = {pipeline.positions[name] for name in model.replaces}
    start = min(own, default=0)
    new = [mark for mark in landmarks if mark.step in own and mark.known_as is None]
    left_out = [mark for mark in landmarks if mark.step in own and mark.known_as is not None]
    after = [mark for mark in landmarks if mark.step >= start and mark.known_as is None]
    return _earliest(new, call) or _left_out(left_out, call) or _earliest(after, call)


def _earliest(landmarks: Sequence[Landmark], call: Traced) -> TraceEvent | None:
    events = list(call.events)
    filled = [event for event in events if not is_filling(event.array, call.right)]
    for step in sorted({mark.step for mark in landmarks}):
        found = [
            first_equal(filled if mark.entry.name in _BUFFERED else events, mark.entry, call.right)
            for mark in landmarks
            if mark.step == step
        ]
        places = [events.index(event) for event in found if event is not None]
        if places:
            return events[min(places)]
    return None


def _left_out(landmarks: Sequence[Landmark], call: Traced) -> TraceEvent | None:
    """A step that was left out: the last line whose value should have gone through it."""
    found = [last_equal(call.events, mark.entry, call.departing) for mark in landmarks]
    events = [event for event in found if event is not None]
    return max(events, key=call.events.index) if events else None


def _first_changed_argument(call: Traced) -> TraceEvent | None:
    """The first event under an argument's own name whose value is not the argument's."""
    probe = call.chosen.probe
    inputs = probe.calls[call.chosen.index]
    names = probe.exercise.arguments(inputs)
    for event in call.events:
        given = inputs.get(event.name) if event.name in names else None
        if not isinstance(given, np.ndarray) or given.shape != event.array.shape:
            continue
        if not np.array_equal(given, event.array, equal_nan=given.dtype.kind == "f"):
            return event
    return None


def _first_detached(call: Traced) -> TraceEvent | None:
    """The first value from which no gradient flows back, though it holds numbers that matter."""
    for event in call.events:
        if event.attached or is_neutral(event.array) or _is_closing(event):
            continue
        if not (call.right.name_of(event.array) or "").endswith("max"):
            return event
    return None


def _is_closing(event: TraceEvent) -> bool:
    """A mask: zeros and ones, or zeros and what closes."""
    numbers = np.asarray(event.array, dtype=np.float64)
    return bool((np.isin(numbers, (0.0, 1.0)) | (numbers <= CLOSED)).all())


def _last_return(call: Traced) -> TraceEvent | None:
    """What the exercise itself returned."""
    returns = [event for event in call.events if event.name == "return" and event.depth == 0]
    return returns[-1] if returns else None


_CHOOSERS: Mapping[Value, Callable[[Traced], TraceEvent | None]] = {
    Value.CHANGED_ARGUMENT: _first_changed_argument,
    Value.DETACHED: _first_detached,
    Value.DEPARTING: lambda call: call.departing,
    Value.RETURNED: _last_return,
}
