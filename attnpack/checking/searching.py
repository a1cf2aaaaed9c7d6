"""A search for a place or a change asks guests one question after the other: who answers them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from attnpack.calls import Task, Transcript
    from attnpack.pack.kinds import Ask

Found = TypeVar("Found")


def driven(search: Generator[Ask, Transcript, Found], answer: Callable[[Ask], Transcript]) -> Found:
    """What a search finds, each of its questions answered by `answer`. Raises what that raises."""
    try:
        ask = next(search)
        while True:
            ask = search.send(answer(ask))
    except StopIteration as stop:
        found: Found = stop.value
        return found


def searched(
    search: Generator[Ask, Transcript, Found], task: Task, run: Callable[[Task], Transcript]
) -> Found:
    """What a search finds, where each question is put to the exercise of a task by `run`."""

    def answer(ask: Ask) -> Transcript:
        sources = {**task.sources, **ask.changed}
        asked = replace(task, questions=tuple(ask.questions), sources=sources, seen=ask.seen)
        return run(asked)

    return driven(search, answer)
