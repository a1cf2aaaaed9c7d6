"""A newer pack in an older workspace: new stubs come in, the learner's work stays."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from attnpack.errors import in_words
from attnpack.workspace import progress
from attnpack.workspace.scaffolding import Placed, Scaffold, scaffold_texts
from attnpack.workspace.stubs import digest, text_of

if TYPE_CHECKING:
    from attnpack.workspace import Workspace


def renew(workspace: Workspace) -> Scaffold:
    """Write the stubs that are missing, or older and unchanged; leave all else as it is.

    Raises BadInputError where the workspace cannot be written.
    """
    given_out = dict(workspace.state.stubs)
    placed = []
    with in_words(workspace.root):
        for file, text in scaffold_texts(workspace):
            fate = _fate(workspace, file, text)
            if fate in (Placed.WRITTEN, Placed.RENEWED):
                progress.write_whole(workspace.root / file, text)
            if fate is not Placed.KEPT:
                given_out[file] = digest(text)
            placed.append((file, fate))
    workspace.saved(replace(workspace.state, pack=workspace.pack.fingerprint(), stubs=given_out))
    return Scaffold(workspace.root, tuple(placed), workspace.exercises[0])


def _fate(workspace: Workspace, file: str, text: str) -> Placed:
    path = workspace.root / file
    if not (path.exists() or path.is_symlink()):
        return Placed.WRITTEN
    given_out = workspace.state.stubs.get(file)
    if given_out == digest(text):
        return Placed.UNTOUCHED
    if not path.is_file():
        return Placed.KEPT
    now = digest(text_of(path))
    if now == digest(text):
        return Placed.UNTOUCHED
    return Placed.RENEWED if now == given_out else Placed.KEPT
