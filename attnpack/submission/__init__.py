"""A learner's code as named sources: a folder, one file, or one notebook.

Nothing here runs the code; names are found by reading it.
"""

from __future__ import annotations

import ast
import difflib
import re
import sys
from dataclasses import dataclass, field, replace
from enum import Enum, StrEnum, auto
from functools import cached_property
from typing import TYPE_CHECKING

from attnpack import pack as packs
from attnpack.errors import BadInputError
from attnpack.submission import syntax
from attnpack.submission.needed import Reduced, reduced, statements
from attnpack.submission.places import FILES, Places
from attnpack.submission.source_text import decode
from attnpack.submission.syntax import definitions_in, parsed
from attnpack.terms import Backend

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from attnpack.pack import Chapter, Pack
    from attnpack.submission.notebook import Broken, Cell

MAX_FILE_BYTES = 1 << 20
MAX_FILES = 64

_LIBRARIES = {
    Backend.NUMPY: "numpy",
    Backend.TORCH: "torch",
    Backend.VALUE: "attnpack.value",
}
_BY_WEIGHT = (Backend.TORCH, Backend.VALUE, Backend.NUMPY)
"""code for torch or `Value` may use numpy beside it, for a square root"""
_PLACES = 6
"""that a note names"""
_HEAD = re.compile(r"^[ \t]*+(?:def|class)[ \t]++(\w++)", re.MULTILINE)
_BROKEN = "{cell} is not Python and is left out."
_NOT_RUN = "Not run, since no exercise needs it: {places}."
_NEVER_SHADOWED = {"numpy", "torch", "attnpack"}


class SubmissionError(BadInputError):
    """What was given cannot be read as a submission; the message says what to do."""


class Form(StrEnum):
    """What a submission lies in on the disk."""

    FOLDER = "folder"
    FILE = "file"
    NOTEBOOK = "notebook"


class Links(Enum):
    """What becomes of a file that is a link to one outside the folder."""

    LEFT_OUT = auto()
    """with a note: in others' work it may name any file of this machine"""
    FOLLOWED = auto()


@dataclass(frozen=True)
class Submission:
    """What was found. Names that are missing are missing from `entries`: not started."""

    root: Path
    """the folder, or the folder of the one file"""
    name: str
    form: Form
    sources: Mapping[str, str]
    """file name -> text"""
    entries: Mapping[str, str]
    """exercise -> the file that defines it"""
    notes: tuple[str, ...] = ()
    cells: tuple[Cell, ...] = ()
    """of a notebook: where each cell's lines lie in its text"""
    pack: Pack = field(default_factory=packs.load)
    """whose exercises these are"""

    @property
    def chapters(self) -> tuple[Chapter, ...]:
        """Every chapter of which it defines a name; the first where it defines none."""
        chapters = self.pack.chapters
        defined = (c for c in chapters if any(e.name in self.entries for e in c.exercises))
        return tuple(defined) or chapters[:1]

    @cached_property
    def backend(self) -> Backend:
        """Read off the imports of what the exercises need; where these say nothing, off all."""
        files = set(self.entries.values())
        for sources in (self.needed, self.sources):
            found = set[Backend]().union(*(_imported_backends(sources[file]) for file in files))
            if found:
                return next(each for each in _BY_WEIGHT if each in found)
        return Backend.NUMPY

    @property
    def needed(self) -> Mapping[str, str]:
        """The sources as a guest gets them: only what the exercises need, on the same lines."""
        return self._reduced.sources

    @property
    def remarks(self) -> tuple[str, ...]:
        """The notes, and what is not run."""
        places = [
            self._places(file, lines)
            for file, left_out in self._reduced.left_out.items()
            for lines in left_out
        ]
        if not places:
            return self.notes
        more = f" and {len(places) - _PLACES} more places" if places[_PLACES:] else ""
        return (*self.notes, _NOT_RUN.format(places="; ".join(places[:_PLACES]) + more))

    @cached_property
    def _reduced(self) -> Reduced:
        return reduced(self.sources, self.entries)

    def started(self, exercise: str) -> bool:
        """Whether the learner has defined it, and not merely left the stub as it is."""
        from attnpack.submission.untouched import is_blank

        if exercise not in self.entries:
            return False
        definition = self._definition(exercise)
        return definition is None or not is_blank(definition)

    def line(self, exercise: str) -> int | None:
        """Where its definition starts; None where it is missing or the file does not parse."""
        definition = self._definition(exercise)
        return definition.lineno if definition else None

    def nearly(self, exercise: str) -> tuple[str, str] | None:
        """A definition that may be meant for a missing exercise: its name and its place."""
        wanted = self.pack.exercise(exercise)
        file = self.name if self.form is not Form.FOLDER else wanted.file
        known = {e.name for e in self.pack.exercises}
        defined = definitions_in(self.sources.get(file, ""))
        names = {name.lower().replace("_", ""): name for name in defined if name not in known}
        plain = exercise.lower().replace("_", "")
        close = difflib.get_close_matches(plain, names, n=1, cutoff=0.75)
        if exercise in self.entries or not close:
            return None
        name = names[close[0]]
        return name, Places(cells=self.cells).words(file, defined[name][-1].lineno)

    def place(self, file: str, line: int) -> str:
        """A line in words: "softmax.py, line 3", or "cell 2, line 3" in a notebook."""
        for cell in reversed(self.cells if not file.endswith(".py") else ()):
            if line >= cell.first_line:
                return f"{cell.name}, line {line - cell.first_line + 1}"
        return f"{file}, line {line}"

    def _places(self, file: str, lines: range) -> str:
        """Lines in words."""
        first, last = self.place(file, lines[0]), self.place(file, lines[-1])
        if first == last:
            return first
        head, _, number = last.rpartition(" ")
        if first.startswith(f"{head} "):
            return f"{first} to {number}"
        return f"{first} to {last}"

    def _definition(self, exercise: str) -> ast.stmt | None:
        """The last one, which is the one that counts."""
        file = self.entries.get(exercise)
        found = definitions_in(self.sources[file]).get(exercise) if file else None
        return found[-1] if found else None


@dataclass
class _Reading:
    """A submission under way."""

    pack: Pack
    sources: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, path: Path, name: str) -> None:
        """Take a file in. Raises OSError."""
        text, note = decode(path.read_bytes(), name)
        self.sources[name] = text
        if note:
            self.notes.append(note)


def load(path: Path, pack: Pack | None = None, links: Links = Links.LEFT_OUT) -> Submission:
    """Read a submission to a pack; to attnpack's own if not said.

    Raises SubmissionError where nothing can be made of the path.
    """
    reading = _Reading(pack or packs.load())
    try:
        if path.is_dir():
            return _folder(path, links, reading)
        if not path.exists():
            raise SubmissionError(_no_such(path))
        if path.suffix == ".ipynb":
            return _notebook(path, reading)
        return _file(path, reading)
    except PermissionError as error:
        raise SubmissionError(
            f"No permission to read {error.filename or path}. "
            f"Make it readable first (chmod u+r), then repeat."
        ) from error
    except OSError as error:
        raise SubmissionError(f"{path} could not be read: {error.strerror or error}.") from error


def own(path: Path, pack: Pack | None = None) -> Submission:
    """A submission of the learner's own, links followed. Raises SubmissionError, as `load` does."""
    return load(path, pack, Links.FOLLOWED)


def _imported_backends(text: str) -> set[Backend]:
    """The backends whose library a text imports."""
    if not any(word in text for word in ("torch", "attnpack", "numpy")):
        return set()
    tree = parsed(text)
    imported: set[str] = set()
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Import):
            imported.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            imported.update(f"{node.module}.{alias.name}" for alias in node.names)
    return {
        backend
        for backend, library in _LIBRARIES.items()
        if any(f"{name}.".startswith(f"{library}.") for name in imported)
    }


def forget() -> None:
    """Drop what is kept of texts that were read."""
    syntax.forget()
    statements.cache_clear()


def _folder(root: Path, links: Links, reading: _Reading) -> Submission:
    exercises = reading.pack.exercises
    if not any((root / exercise.file).is_file() for exercise in exercises):
        raise SubmissionError(_no_exercises(root, reading.pack))
    expected = {exercise.file for exercise in exercises}
    for path in sorted(root.glob("*.py"), key=lambda path: (path.name not in expected, path.name)):
        reason = _left_out(path, root, links, expected, len(reading.sources))
        if reason is None:
            reading.add(path, path.name)
        elif reason:
            reading.notes.append(f"{path.name} is left out: {reason}")
    entries = {
        exercise.name: exercise.file
        for exercise in exercises
        if _may_define(reading.sources.get(exercise.file, ""), exercise.name)
    }
    reading.notes += _defined_twice(reading.sources, entries)
    name = root.resolve().name
    notes = tuple(reading.notes)
    return Submission(root, name, Form.FOLDER, reading.sources, entries, notes, pack=reading.pack)


def _left_out(path: Path, root: Path, links: Links, expected: set[str], count: int) -> str | None:
    """Why a file of the folder is not taken in: a reason to tell, "" for no need, None if it is."""
    if path.is_symlink() and not path.exists():
        return "it is a link to a file that is not there."
    if not path.is_file():
        return "it is not an ordinary file."
    is_outside = not path.resolve().is_relative_to(root.resolve())
    if is_outside and links is Links.LEFT_OUT:
        return "it is a link to a file outside the folder. Copy the file here instead."
    if path.stat().st_size > MAX_FILE_BYTES:
        return f"it is larger than {MAX_FILE_BYTES >> 20} MiB."
    if path.name in expected:
        return None
    if path.name == "conftest.py" or path.name.startswith("test_"):
        return ""
    if path.stem in sys.stdlib_module_names | _NEVER_SHADOWED:
        return f"`import {path.stem}` means the library of that name. Rename the file."
    return None if count < MAX_FILES else f"there are more than {MAX_FILES} files."


def _file(path: Path, reading: _Reading) -> Submission:
    if not path.is_file():
        raise SubmissionError(f"{path} is neither a file nor a folder.")
    if path.suffix != ".py":
        raise SubmissionError(
            f"{path} is not a Python file. Give a .py file, a notebook (.ipynb), or the folder "
            f"that holds {reading.pack.exercises[0].file} and the others."
        )
    if path.stat().st_size > MAX_FILE_BYTES:
        raise SubmissionError(f"{path} is larger than {MAX_FILE_BYTES >> 20} MiB.")
    reading.add(path, path.name)
    text = reading.sources[path.name]
    if "\0" in text:
        raise SubmissionError(f"{path} is not Python source: it holds zero bytes.")
    if not text.strip():
        raise SubmissionError(
            f"{path} is empty. Define the exercises in it ({_names(reading.pack)}), "
            f"or begin with: attnpack init"
        )
    return _of_one_text(path, Form.FILE, reading)


def _notebook(path: Path, reading: _Reading) -> Submission:
    from attnpack.submission import notebook

    try:
        read = notebook.read(path.read_bytes())
    except notebook.NotebookError as error:
        raise SubmissionError(f"{path} is not a notebook: {error}") from error
    reading.sources[path.name] = read.text
    reading.notes += read.notes
    found = _of_one_text(path, Form.NOTEBOOK, reading, read.cells)
    return with_broken_cells(found, read.broken)


def with_broken_cells(submission: Submission, broken: Sequence[Broken]) -> Submission:
    """A notebook with those of its cells that do not parse and hold an exercise: as files beside.

    What such a cell defines is an error; the rest of the notebook is as it is.
    """
    sources, entries = dict(submission.sources), dict(submission.entries)
    notes = list(submission.notes)
    for each in broken:
        heads = set(_HEAD.findall(each.text))
        known = (exercise.name for exercise in submission.pack.exercises)
        names = [name for name in known if name in heads and name not in submission.entries]
        beside = f"{submission.name} ({each.cell.name})"
        if names:
            sources[beside] = each.text
            entries.update(dict.fromkeys(names, beside))
        notes.append(_BROKEN.format(cell=each.cell.name))
    return replace(submission, sources=sources, entries=entries, notes=tuple(notes))


def _of_one_text(
    path: Path, form: Form, reading: _Reading, cells: tuple[Cell, ...] = ()
) -> Submission:
    text = reading.sources[path.name]
    exercises = reading.pack.exercises
    entries = {e.name: path.name for e in exercises if _may_define(text, e.name)}
    reading.notes += _defined_twice(reading.sources, entries, Places(cells=cells))
    if not entries:
        names = _names(reading.pack)
        reading.notes.append(f"{path.name} defines none of the exercises: {names}.")
    notes = tuple(reading.notes)
    return Submission(
        path.parent, path.name, form, reading.sources, entries, notes, cells, reading.pack
    )


def _may_define(text: str, name: str) -> bool:
    """True as well where the text does not parse: that is an error, not a missing name."""
    if not text.strip():
        return False
    return parsed(text) is None or bool(definitions_in(text).keys() & {name, "*"})


def _defined_twice(
    sources: Mapping[str, str], entries: Mapping[str, str], places: Places = FILES
) -> Iterable[str]:
    for name, file in entries.items():
        tree = parsed(sources[file])
        found = [
            places.words(file, statement.lineno)
            for statement in (tree.body if tree else ())
            if isinstance(statement, (ast.FunctionDef, ast.ClassDef)) and statement.name == name
        ]
        if len(found) > 1:
            yield (
                f"{name} is defined {len(found)} times ({'; '.join(found)}); "
                f"Python keeps the last, and that one is checked."
            )


def _no_such(path: Path) -> str:
    siblings = [p.name for p in path.parent.iterdir()] if path.parent.is_dir() else []
    close = difflib.get_close_matches(path.name, siblings, n=1)
    meant = f" Did you mean {path.with_name(close[0])}?" if close else ""
    return f"There is no file or folder {path}.{meant}"


def _no_exercises(root: Path, pack: Pack) -> str:
    lone = sorted(p.name for p in root.glob("*.py"))[:1]
    hint = f" For one file, name it: attnpack check {root / lone[0]}." if lone else ""
    files = ", ".join(exercise.file for exercise in pack.exercises[:3])
    return (
        f"There are no exercises in {root}: {files} or one of the others should be there.{hint} "
        f"A new folder with all of them: attnpack init"
    )


def _names(pack: Pack) -> str:
    """Those of the first chapter: who writes others knows what they are called."""
    return ", ".join(exercise.name for exercise in pack.chapters[0].exercises)
