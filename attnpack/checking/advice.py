"""What to do about an exception that says little by itself: of a file that cannot be loaded, a
module that is not there, a call that does not fit, a debugger that was left in.
"""

from __future__ import annotations

import ast
import difflib
import re
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from attnpack.diagnosis.entrances import DEBUGGER_LEFT

if TYPE_CHECKING:
    from attnpack.calls import Raised
    from attnpack.submission import Submission

_UNREADABLE: Final = ("SyntaxError", "IndentationError", "TabError")
_CURLY: Final = "“”„‟‘’‚‛«»"
_NO_MODULE: Final = re.compile(r"No module named '(\w+)")
_LIBRARIES: Final = ("numpy", "torch", "math", "attnpack")


@dataclass(frozen=True)
class Advice:
    """A sentence or two, and Python's own mark under a line that it cannot read."""

    text: str
    caret: tuple[int, int] | None = None
    """the first column and the one behind the last, in the line without its indentation"""


def on(raised: Raised, submission: Submission, exercise: str, *, loading: bool) -> Advice | None:
    """What to say instead of an exception's general advice; None where that is the best."""
    file = raised.frames[-1].file if raised.frames else submission.entries[exercise]
    if raised.type in _UNREADABLE and file in submission.sources:
        return _unreadable(submission, file)
    missing = _NO_MODULE.match(raised.message) if raised.type == "ModuleNotFoundError" else None
    if missing:
        return Advice(_no_module(submission, missing[1]))
    if raised.type == DEBUGGER_LEFT:
        return Advice(_DEBUGGER.format(exercise=exercise))
    if raised.type == "TypeError" and not raised.frames:
        return Advice(_DOES_NOT_FIT)
    return Advice(_LOADING.format(file=file)) if loading else None


def _unreadable(submission: Submission, file: str) -> Advice | None:
    text = submission.sources[file]
    try:
        ast.parse(text)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        return Advice(_why_unreadable(text, line, error, submission, file), _caret(text, error))
    return None


def _why_unreadable(
    text: str, line: int, error: Exception, submission: Submission, file: str
) -> str:
    lines = text.split("\n")
    marks = [number for number, each in enumerate(lines, 1) if each.startswith("<<<<<<< ")]
    shown = lines[line - 1] if line <= len(lines) else ""
    if marks:
        return _MERGE.format(place=submission.place(file, marks[0]))
    if any(character in shown for character in _CURLY):
        return _QUOTES
    if "non-printable" in str(error):
        return _INVISIBLE
    if isinstance(error, TabError):
        return _TABS
    return _INDENTED if isinstance(error, IndentationError) else _SYNTAX


def _caret(text: str, error: Exception) -> tuple[int, int] | None:
    if not isinstance(error, SyntaxError) or not error.lineno or not error.offset:
        return None
    line = text.split("\n")[error.lineno - 1]
    indented = len(line) - len(line.lstrip())
    first = max(0, error.offset - 1 - indented)
    one_line = error.end_lineno in (None, error.lineno)
    last = (error.end_offset or 0) - 1 - indented if one_line else len(line.strip())
    return first, max(first + 1, last)


def _no_module(submission: Submission, name: str) -> str:
    folder = submission.root / name
    inside = sorted(folder.glob("*.py")) if folder.is_dir() else []
    if inside:
        own = next((path for path in inside if path.name != "__init__.py"), inside[0])
        return _FOLDER.format(folder=name, file=f"{name}/{own.name}", module=own.stem)
    known = [*_LIBRARIES, *(file.removesuffix(".py") for file in submission.sources)]
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.7)
    if close:
        return _MEANT.format(name=name, close=close[0])
    return _NOT_INSTALLED.format(name=name, python=sys.executable)


_MERGE: Final = (
    "A merge conflict that nobody has resolved begins at {place}. Keep one of the two versions, "
    "and delete the lines that begin with <<<<<<<, ======= and >>>>>>>."
)
_QUOTES: Final = (
    "Typographic quotation marks, as word processors and web pages make them, mean nothing to "
    "Python. Type plain ones: \" or '."
)
_INVISIBLE: Final = (
    "There is an invisible character, as comes along when code is copied from a page. Delete the "
    "space at the mark and type it again."
)
_TABS: Final = (
    "This line is indented with tabs where the lines above have spaces, or the other way round. "
    "Let your editor turn tabs into spaces."
)
_INDENTED: Final = (
    "Line this line up with its block. Under def, class, if, for and while at least one line is "
    "indented."
)
_SYNTAX: Final = (
    "Python cannot read the file from the mark on, so nothing in it is defined yet. Look there and "
    "at the line above: a bracket or quote that is not closed, a colon or comma that is missing."
)
_FOLDER: Final = (
    "{folder} is a folder, and only the files beside the exercises are loaded with them. Move "
    "{file} up beside them, and import from {module}."
)
_MEANT: Final = "There is no module {name}. Did you mean {close}?"
_NOT_INSTALLED: Final = (
    "No exercise needs {name}. Leave the import out; or install it for the Python that attnpack "
    "runs with: {python} -m pip install {name}"
)
_DEBUGGER: Final = (
    "breakpoint() waits for somebody to type, and in a check nobody can. Take it out; or use it: "
    "attnpack debug {exercise}"
)
_DOES_NOT_FIT: Final = (
    "The exercise was called as its text says, and the marked line takes other arguments. Give it "
    "the parameters of the stub: same names, same order, self first in a method."
)
_LOADING: Final = (
    "This happens while {file} is loaded, before anything in it is called: by a line that stands "
    "outside of the functions, or in the head of a class. python {file} shows the same."
)
