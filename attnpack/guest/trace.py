"""A line trace of the learner's own code: every array a line assigns or returns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Container

    from attnpack.guest.backends import GuestBackend
    from attnpack.guest.reply import Event


class Tracer:
    """Records while entered."""

    def __init__(self, files: Container[str], backend: GuestBackend) -> None:
        self._files = files
        self._backend = backend
        self.events: list[Event] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass
