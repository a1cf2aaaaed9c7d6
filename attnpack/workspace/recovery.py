"""The state of a workspace whose state file was lost, as far as its files show it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from attnpack.terms import Backend
from attnpack.workspace import progress
from attnpack.workspace.stubs import digest, stub_text, text_of

if TYPE_CHECKING:
    from pathlib import Path

    from attnpack.pack import Pack


def fresh_state(pack: Pack, backend: Backend) -> progress.State:
    """The state of a workspace in which nothing was done."""
    name = pack.name if pack.place else None
    return progress.State(pack.fingerprint(), backend.value, pack_name=name, place=pack.place)


def rebuilt(root: Path, pack: Pack) -> progress.State:
    """The state of a workspace whose state file was lost, as far as its files show it."""
    backend = _guess_backend(root, pack)
    there = [e.name for e in pack.exercises if (root / e.file).is_file()]
    chapters = [pack.chapter_of(name).name for name in there]
    return replace(
        fresh_state(pack, backend),
        stubs=_given_out(root, pack, backend),
        chapters=tuple(dict.fromkeys(chapters)),
    )


def _guess_backend(root: Path, pack: Pack) -> Backend:
    """The backend whose imports the files show; only for a state file that was lost."""
    texts = [text_of(root / e.file) for e in pack.exercises if (root / e.file).is_file()]
    for backend, sign in ((Backend.TORCH, "import torch"), (Backend.VALUE, "attnpack.value")):
        if any(sign in text for text in texts):
            return backend
    return Backend.NUMPY


def _given_out(root: Path, pack: Pack, backend: Backend) -> dict[str, str]:
    """Hashes of the files that still are the pack's stubs."""
    offered = [e.file for e in pack.exercises if backend in e.backends]
    hashes = {file: digest(stub_text(pack, backend, file)) for file in offered}
    return {
        file: known
        for file, known in hashes.items()
        if (root / file).is_file() and digest(text_of(root / file)) == known
    }
