"""Opens the learner's editor at a line."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path
from typing import Final

from attnpack.errors import BadInputError

GOTO: Final = {"code", "code-insiders", "codium", "cursor", "windsurf"}
"""take `-g FILE:LINE`"""
COLON: Final = {"subl", "zed", "hx", "helix", "micro"}
"""take `FILE:LINE`"""


def open_at(path: Path, line: int) -> None:
    """Run $VISUAL or $EDITOR on a file, at a line, and wait for it to end.

    Raises BadInputError where neither is set or the editor cannot be started.
    """
    named = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not named:
        raise BadInputError(
            f"Neither VISUAL nor EDITOR is set, so {path}:{line} was not opened. "
            "Say which editor you use, for example: export EDITOR=nano"
        )
    command = words(named, path, line)
    try:
        subprocess.run(command, check=False)
    except OSError as error:
        raise BadInputError(
            f"The editor {named!r} could not be started: {error.strerror}"
        ) from error


def words(named: str, path: Path, line: int) -> list[str]:
    """The command line that opens a file at a line in the editor of that name."""
    editor = shlex.split(named, posix=os.name == "posix")
    program = Path(editor[0]).stem.lower()
    if program in GOTO:
        return [*editor, "-g", f"{path}:{line}"]
    if program in COLON:
        return [*editor, f"{path}:{line}"]
    if program == "notepad":
        return [*editor, str(path)]
    return [*editor, f"+{line}", str(path)]
