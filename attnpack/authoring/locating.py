"""From the bug's name to its line: the failing call once more, under a line trace."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from attnpack.authoring.common import MUTATED
from attnpack.authoring.probes import Answered, answered, wrong
from attnpack.diagnosis.lines import Entry, Library, first_departing, first_equal
from attnpack.diagnosis.source_lines import Definition, Place, definition
from attnpack.pack.kinds import Annotation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attnpack.authoring.exercise import Exercise
    from attnpack.authoring.probes import Probe
    from attnpack.calls import Question, TraceEvent, Transcript
    from attnpack.pack.kinds import Plan, Source, Suspect, Verdict


def trace_plan(plan: Plan, transcript: Transcript, verdict: Verdict) -> Sequence[Question]:
    """The call to run again; none where an exception or the source tells the line."""
    chosen = _chosen(plan, transcript, verdict)
    return [] if chosen is None else [chosen.question(trace=True)]


def locate(
    exercise: Exercise,
    plan: Plan,
    transcript: Transcript,
    traced: Transcript,
    verdict: Verdict,
    suspects: Sequence[Suspect],
    source: Source,
) -> Sequence[Suspect]:
    """The same suspects with file and line."""
    spans = definition(source, exercise.name)
    stated = _raising_line(verdict, transcript, spans) or _stated_line(verdict, transcript)
    chosen = _chosen(plan, transcript, verdict)
    answer = None if chosen is None else traced.answers.get(chosen.key)
    events = [] if answer is None else [e for e in answer.events if not spans.is_another(_at(e))]
    located = []
    for suspect in suspects:
        event = None if chosen is None else _event(suspect, chosen, events)
        place = stated or (None if event is None else _at(event)) or spans.body
        file, line = place or (None, None)
        located.append(replace(suspect, file=file, line=line))
    return located


def annotate(plan: Plan, transcript: Transcript) -> Sequence[Annotation]:
    """What every line of the traced call made, with sizes as symbols."""
    (probe,) = plan.probes
    answer, right = transcript.answers.get(probe.key), _right(probe)
    found: dict[tuple[str, int, str], Annotation] = {}
    for event in answer.events if answer is not None else ():
        if event.array.ndim == 0:
            continue
        sizes = [probe.exercise.symbols.get(size, str(size)) for size in event.array.shape]
        shape = f"({', '.join(sizes)}{',' if len(sizes) == 1 else ''})"
        known = right.name_of(event.array)
        place = (event.file, event.line, event.name)
        found[place] = Annotation(*place, shape, known)
    return tuple(found.values())


def _chosen(plan: Plan, transcript: Transcript, verdict: Verdict) -> Probe | None:
    """The smallest call whose numbers are wrong; the failing one where none has wrong numbers."""
    answer = verdict.answer or transcript.loaded
    if answer.raised is not None:
        return None
    calls = answered(plan, transcript)
    failing = [call.probe for call in calls if call.probe.key == verdict.probe]
    differing = sorted((call.probe for call in calls if _is_wrong(call)), key=_size)
    return next(iter([*differing, *failing]), None)


def _is_wrong(call: Answered) -> bool:
    pairs = zip(call.probe.expected, call.arrays or (), call.probe.allowed, strict=False)
    return any(e.shape != a.shape or bool(wrong(e, a, limit).any()) for e, a, limit in pairs)


def _size(probe: Probe) -> int:
    return sum(np.size(value) for value in probe.inputs.values())


def _right(probe: Probe) -> Library:
    """Every array that a right run holds, and its transpose."""
    return Library(_entries(probe))


def _entries(probe: Probe) -> Iterator[Entry]:
    allowed = 4.0 * max(probe.allowed, default=0.0)
    for name, value in probe.right.items():
        if isinstance(value, np.ndarray) and value.ndim:
            yield Entry(name, value, allowed)
            yield (
                Entry(f"{name}ᵀ", np.swapaxes(value, -1, -2), allowed)
                if value.ndim > 1
                else (Entry(name, value, allowed))
            )


def _event(suspect: Suspect, probe: Probe, events: Sequence[TraceEvent]) -> TraceEvent | None:
    """The first line that makes what only the modelled wrong run holds; else that departs."""
    right = _right(probe)
    if suspect.id == MUTATED:
        return _first_changed(probe, events)
    if suspect.evidence is not None:
        for entry in _wrong_entries(suspect, probe, right):
            event = first_equal(events, entry, right)
            if event is not None:
                return event
    return first_departing(events, right)


def _wrong_entries(suspect: Suspect, probe: Probe, right: Library) -> Iterator[Entry]:
    """Arrays of a run with the bug in it, from the step that it replaces on, in their order."""
    own = [model for model in suspect.evidence.models if model.bug == suspect.id]
    pipeline, state = probe.exercise.pipeline, dict(probe.inputs)
    replaced = {name: step for model in own for name, step in model.replaces.items()}
    allowed = 4.0 * max(probe.allowed, default=0.0)
    with np.errstate(all="ignore"):
        for name, step in pipeline.steps:
            before = dict(state)
            try:
                replaced.get(name, step)(state)
            except Exception:  # noqa: BLE001  a model that cannot run makes nothing more
                return
            for key, value in state.items():
                new = isinstance(value, np.ndarray) and value is not before.get(key)
                if new and value.ndim and not right.holds(value):
                    yield Entry(key, value, allowed)


def _first_changed(probe: Probe, events: Sequence[TraceEvent]) -> TraceEvent | None:
    """The first line after which an argument is not what was handed over."""
    for event in events:
        given = probe.inputs.get(event.name)
        if not isinstance(given, np.ndarray) or given.shape != event.array.shape:
            continue
        if not np.array_equal(given, event.array):
            return event
    return None


def _raising_line(verdict: Verdict, transcript: Transcript, spans: Definition) -> Place | None:
    """The innermost of the learner's lines, inside the exercise where one is."""
    answer = verdict.answer or transcript.loaded
    if answer.raised is None or not answer.raised.frames:
        return None
    places = [Place(frame.file, frame.line) for frame in answer.raised.frames]
    return ([place for place in places if not spans.is_another(place)] or places)[-1]


def _stated_line(verdict: Verdict, transcript: Transcript) -> Place | None:
    """Where a call was when its time ran out, or the process ended."""
    stated = (verdict.answer or transcript.loaded).facts.get("at")
    return Place(str(stated[0]), int(stated[1])) if stated else None


def _at(event: TraceEvent) -> Place:
    return Place(event.file, event.line)
