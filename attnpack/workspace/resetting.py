"""Exercises put back to their stubs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from attnpack.errors import in_words
from attnpack.terms import Status
from attnpack.workspace import backups, progress
from attnpack.workspace.stubs import digest, stub_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from attnpack.pack import Exercise
    from attnpack.workspace import Workspace


def reset(
    workspace: Workspace, exercises: Sequence[Exercise], now: datetime
) -> list[backups.Restored]:
    """Put exercises back to their stubs; what was there goes to `.attnpack/backups` first."""
    restored = []
    new = workspace.state
    with in_words(workspace.root):
        folder = backups.fresh_folder(workspace.root, now)
        for exercise in exercises:
            stub = stub_text(workspace.pack, workspace.backend, exercise.file)
            restored.append(backups.restore(workspace.file_of(exercise), stub, folder))
            met = new.progress(exercise.name)
            new = new.with_progress(
                exercise.name, replace(met, status=Status.NOT_STARTED, bug=None, hints={})
            )
            new = replace(new, stubs={**new.stubs, exercise.file: digest(stub)})
        progress.write(workspace.root, new)
    return restored
