"""Which of a hand-in's files are the submission: those that define exercises, wherever they lie.

Each exercise is taken from the file that counts for it; what that file imports goes along. In a
guest all files lie in one folder, by the names that they import each other by.
"""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from attnpack.submission import Form, Submission, notebook, with_broken_cells
from attnpack.submission.needed import ALL, imports_of
from attnpack.submission.source_text import decode
from attnpack.submission.syntax import definitions_in, parsed
from attnpack.submission.untouched import is_blank

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from attnpack.pack import Pack
    from attnpack.submission.needed import Imported

_BESIDE = "beside"
"""the folder of what is laid nowhere else"""
MOST_FILES = 64
_NOT_THEIRS = re.compile(r"(test_.*|.*_test|conftest|setup|noxfile)\.py")
_HEAD = re.compile(r"^(?:def|class)[ \t]++(\w++)", re.MULTILINE)
_NUMBER = re.compile(r"(\d++)\D*+$")
_LIBRARIES = sys.stdlib_module_names | {"numpy", "torch", "attnpack"}
_ALIAS = """\
from {module} import *
import {module} as _module
def __getattr__(name): return getattr(_module, name)
"""


class NothingToReadError(Exception):
    """No file of the hand-in can be read; the text says why."""


@dataclass(frozen=True)
class Chosen:
    """The submission, and what its student calls its files."""

    submission: Submission
    shown: Mapping[str, str]
    """file of the submission -> the student's name for it, where they differ"""


@dataclass(frozen=True)
class _File:
    """One file of the hand-in."""

    path: PurePosixPath
    text: str
    defined: frozenset[str]
    """exercises, or "*" """
    started: frozenset[str]
    """exercises that are more than the stub"""
    read: notebook.Notebook | None = None

    @property
    def is_notebook(self) -> bool:
        return self.read is not None

    @property
    def version(self) -> int:
        """The number that its name ends with: of two equally full files the higher counts."""
        found = _NUMBER.search(self.path.stem)
        return int(found[1][:9]) if found else 0


@dataclass
class _Reading:
    """All files of the hand-in that can be read."""

    pack: Pack
    files: list[_File] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, name: str, content: bytes) -> None:
        """Take a file in, or note why not."""
        names = {exercise.name for exercise in self.pack.exercises}
        path = PurePosixPath(name)
        if path.suffix.lower() == ".ipynb":
            try:
                read = notebook.read(content)
            except notebook.NotebookError as error:
                self.notes.append(f"{name} is not a notebook: {error}.")
                return
            self.files.append(_file(path, read.text, names, read))
            return
        text, note = decode(content, name)
        if "\0" in text:
            self.notes.append(f"{name} is not Python source: it holds zero bytes.")
        elif not text.strip():
            self.notes.append(f"{name} is empty.")
        else:
            self.notes += [note] if note else []
            self.files.append(_file(path, text, names))


def choose(files: Mapping[str, bytes], pack: Pack) -> Chosen:
    """The submission among the files. Raises NothingToReadError."""
    reading = _Reading(pack)
    for name, content in sorted(files.items()):
        reading.add(name, content)
    if not reading.files:
        raise NothingToReadError(" ".join(reading.notes) or "there is nothing in it")
    entries = _entries(reading)
    return _Laying(reading, entries).submission()


def _file(
    path: PurePosixPath, text: str, names: set[str], read: notebook.Notebook | None = None
) -> _File:
    if parsed(text) is None:
        heads = names & {*_HEAD.findall(text)}
        return _File(path, text, frozenset(heads), frozenset(heads), read)
    found = {name: made for name, made in definitions_in(text).items() if _is_made_here(name, made)}
    started = {name for name in names & found.keys() if not is_blank(found[name][-1])}
    broken = "\n".join(each.text for each in read.broken) if read else ""
    started |= names & {*_HEAD.findall(broken)}
    return _File(path, text, frozenset(found.keys() & {*names, ALL}), frozenset(started), read)


def _is_made_here(name: str, made: Sequence[ast.stmt]) -> bool:
    """Whether a file defines the name, and does not only import it."""
    return name == ALL or not isinstance(made[-1], ast.Import | ast.ImportFrom)


def _entries(reading: _Reading) -> dict[str, _File]:
    """Exercise -> the file that counts for it.

    First of all those in the folder, or notebook, that has most of them; then what others add.
    """
    wanted = {exercise.name: exercise.file for exercise in reading.pack.exercises}
    theirs = [f for f in reading.files if not _NOT_THEIRS.fullmatch(f.path.name)] or reading.files
    units: dict[str, list[_File]] = {}
    for file in theirs:
        units.setdefault(str(file.path if file.is_notebook else file.path.parent), []).append(file)
    entries: dict[str, _File] = {}
    for unit in sorted(units.values(), key=lambda unit: _fullness(unit, wanted), reverse=True):
        for name in wanted.keys() - entries.keys():
            able = [file for file in unit if name in file.started]
            if able:
                entries[name] = max(able, key=lambda file: _claim(file, wanted[name]))
    _note_others(reading, theirs, entries)
    about = _about(reading.pack, entries)
    for name in wanted.keys() - entries.keys():
        able = [f for f in theirs if f.defined & ({name, ALL} if name in about else {name})]
        if able:
            entries[name] = max(able, key=lambda f: (name in f.defined, *_claim(f, wanted[name])))
    return {name: entries[name] for name in wanted if name in entries}


def _about(pack: Pack, entries: Mapping[str, _File]) -> set[str]:
    """The exercises of the first chapter and of those that have begun.

    `from parts import *` may define any of these; it is no sign of another chapter.
    """
    first, *others = pack.chapters
    chapters = [first, *(c for c in others if any(e.name in entries for e in c.exercises))]
    return {exercise.name for chapter in chapters for exercise in chapter.exercises}


def _fullness(unit: Sequence[_File], wanted: Mapping[str, str]) -> tuple[object, ...]:
    """How much of the work is in a folder or notebook; equal ones by depth, number and name."""
    started = frozenset[str]().union(*(file.started for file in unit))
    defined = frozenset[str]().union(*(file.defined for file in unit))
    first = unit[0]
    folder = first.path if first.is_notebook else first.path.parent
    number = _NUMBER.search(folder.stem)
    return (
        len(started),
        len(defined & wanted.keys()),
        -len(first.path.parts),
        not first.is_notebook,
        int(number[1][:9]) if number else 0,
        [-ord(character) for character in str(folder)],
    )


def _claim(file: _File, exercise_file: str) -> tuple[object, ...]:
    """Of two files of one folder that define an exercise: which counts."""
    return (
        file.path.name == exercise_file,
        len(file.started),
        file.version,
        [-ord(character) for character in str(file.path)],
    )


def _note_others(reading: _Reading, theirs: Iterable[_File], entries: Mapping[str, _File]) -> None:
    used = {file.path for file in entries.values()}
    others = [str(file.path) for file in theirs if file.started and file.path not in used]
    if others:
        shown = ", ".join(others[:4]) + (f" and {len(others) - 4} more" if others[4:] else "")
        judged = ", ".join(sorted({str(path) for path in used})[:4])
        reading.notes.append(f"Not judged, since {judged} define the same or more: {shown}.")


class _Laying:
    """The chosen files, laid into one folder."""

    def __init__(self, reading: _Reading, entries: Mapping[str, _File]) -> None:
        self._reading = reading
        self._entries = entries
        self._base = next(iter(entries.values()), reading.files[0]).path.parent
        self._by_path = {file.path: file for file in reading.files}
        self._names: dict[PurePosixPath, str] = {}
        self._sources: dict[str, str] = {}

    def submission(self) -> Chosen:
        """All of it as a submission."""
        alone = len(self._reading.files) == 1
        for file in dict.fromkeys(self._entries.values()):
            self._take(file, file.path.name if alone else self._entry_name(file))
        if not self._entries:
            for file in self._reading.files[:MOST_FILES]:
                self._take(file, file.path.name)
        waiting = [file.path for file in self._entries.values()]
        while waiting:
            waiting += self._take_imports(self._by_path[waiting.pop()])
        entries = {name: self._names[file.path] for name, file in self._entries.items()}
        found = self._with_notebooks(entries)
        shown = {name: str(path) for path, name in self._names.items() if name != str(path)}
        return Chosen(found, shown)

    def _entry_name(self, file: _File) -> str:
        """The exercise's own file, where it defines no other; so its siblings find it."""
        exercises = [name for name, owner in self._entries.items() if owner is file]
        files = {exercise.name: exercise.file for exercise in self._reading.pack.exercises}
        if len(exercises) == 1 and not file.is_notebook:
            return files[exercises[0]]
        return file.path.name

    def _take(self, file: _File, name: str) -> None:
        """Lay a file under a name, or, where that is taken, under its whole path, or beside it."""
        if name in self._sources:
            name = str(file.path)
        while name in self._sources:  # a file at the top has no other path than its name
            name = f"{_BESIDE}/{name}"
        self._names[file.path] = name
        self._sources[name] = file.text

    def _take_imports(self, file: _File) -> list[PurePosixPath]:
        """Lay down what a file imports from others of the hand-in; those that are new."""
        new = []
        for imported in imports_of(file.text):
            target = self._resolve(imported, file)
            if target is None or len(self._sources) >= MOST_FILES:
                continue
            if target.path not in self._names:
                beside = target.path.parent == self._base
                self._take(target, target.path.name if beside else str(target.path))
                new.append(target.path)
            self._alias(imported.module, self._names[target.path])
        return new

    def _resolve(self, imported: Imported, importer: _File) -> _File | None:
        """The file that a module is: the nearest of those with such a path."""
        module = imported.module
        if not module or module == ALL:
            return None
        wanted = PurePosixPath(*module.split("."))
        if wanted.parts[0] in _LIBRARIES and wanted.parts[0] not in self._folders():
            return None
        candidates = [
            file
            for file in self._reading.files
            if not file.is_notebook
            and any(
                file.path.parts[-len(each.parts) :] == each.parts
                for each in (wanted.with_suffix(".py"), wanted / "__init__.py")
            )
        ]
        if not candidates:
            return None if imported.perhaps else self._by_exercise(module)
        return min(
            candidates,
            key=lambda file: (
                file.path.parent != importer.path.parent,
                len(file.path.parts),
                str(file.path),
            ),
        )

    def _folders(self) -> set[str]:
        return {part for file in self._reading.files for part in file.path.parts[:-1]}

    def _by_exercise(self, module: str) -> _File | None:
        """The file of the exercise that a module is named after, whatever its student calls it."""
        last = f"{module.rpartition('.')[2]}.py"
        names = [
            exercise.name for exercise in self._reading.pack.exercises if exercise.file == last
        ]
        return self._entries.get(names[0]) if names else None

    def _alias(self, module: str, name: str) -> None:
        """Let a module be found by the name that it is imported by."""
        file = f"{module.replace('.', '/')}.py"
        if name.removesuffix("/__init__.py") == file.removesuffix(".py"):
            return
        if file not in self._sources and name.endswith(".py"):
            target = name.removesuffix(".py").replace("/", ".")
            self._sources[file] = _ALIAS.format(module=target)
        for parent in list(PurePosixPath(file).parents)[:-1]:
            self._sources.setdefault(f"{parent}/__init__.py", "")

    def _with_notebooks(self, entries: Mapping[str, str]) -> Submission:
        """The submission, with the cells of its notebooks, each on lines of its own."""
        notebooks = [file for file in dict.fromkeys(self._entries.values()) if file.read]
        notes = list(self._reading.notes)
        cells: list[notebook.Cell] = []
        broken: list[notebook.Broken] = []
        first = 0
        for file in notebooks:
            if file.read is None:
                continue
            name = str(file.path) if len(notebooks) > 1 else ""
            moved = [_moved(cell, first, name) for cell in file.read.cells]
            cells += moved
            broken += [
                notebook.Broken(_moved(each.cell, first, name), "\n" * first + each.text)
                for each in file.read.broken
            ]
            self._sources[self._names[file.path]] = "\n" * first + file.text
            notes += file.read.notes
            first += file.text.count("\n")
        if not entries:
            names = ", ".join(exercise.name for exercise in self._reading.pack.exercises)
            notes.append(f"None of the exercises is defined in it: {names}.")
        only = set(entries.values())
        valid = {n: f for n, f in entries.items() if self._is_defined(n)}
        found = Submission(
            root=Path(),
            name=next(iter(only), next(iter(self._sources))),
            form=self._form(notebooks),
            sources=self._sources,
            entries=valid,
            notes=tuple(notes),
            cells=tuple(cells),
            pack=self._reading.pack,
        )
        return with_broken_cells(found, broken)

    def _is_defined(self, name: str) -> bool:
        """False where only a cell that does not parse seems to define it."""
        file = self._entries[name]
        return bool(file.defined & {name, ALL})

    def _form(self, notebooks: Sequence[_File]) -> Form:
        if notebooks:
            return Form.NOTEBOOK
        return Form.FILE if len(self._sources) == 1 else Form.FOLDER


def _moved(cell: notebook.Cell, by: int, name: str) -> notebook.Cell:
    return replace(cell, first_line=cell.first_line + by, notebook=name)
