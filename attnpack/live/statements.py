"""The text of what a notebook or a prompt has defined, and of all that it needs.

Of each cell only those statements are taken that bind a name the exercises use: a plot, a
training run or a cell that was given up stays out. Everything else is left blank, so that a
line keeps its number.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import linecache
import re
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from attnpack.errors import BadInputError
from attnpack.submission import Form, Submission
from attnpack.submission.commands import magics_above, python_lines
from attnpack.submission.needed import Statement, only, statements
from attnpack.submission.notebook import Cell
from attnpack.submission.syntax import parsed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from attnpack.pack import Pack

NAME = "notebook"
_PROMPT = re.compile(r"<python-input-\d+>")
_PLAIN = (int, float, complex, str, bytes, bool, type(None))


@dataclass(frozen=True)
class Executed:
    """A text that was executed whole: a cell, an entry at a prompt, the file of a script."""

    number: int
    """as the notebook counts it; 0 for a script"""
    text: str
    file: str = ""
    """the name that its code goes by; empty where only the text tells"""
    above: int = 0
    """lines of cell magics (`%%time`) over the code, which does not count them"""


@dataclass(frozen=True)
class Placed:
    """A statement of one of the texts."""

    where: Executed
    statement: Statement

    @property
    def node(self) -> ast.stmt:
        """Its syntax tree."""
        return self.statement.node

    @property
    def binds(self) -> frozenset[str]:
        """The names that it binds."""
        return self.statement.binds


def submission_of(
    namespace: Mapping[str, Any], exercises: Mapping[str, Any], pack: Pack
) -> Submission:
    """What to send to a guest so that it can run these exercises.

    `exercises` are the learner's objects by name. Raises BadInputError where the text of one
    cannot be had.
    """
    texts = executed(namespace)
    needed = _Needed(namespace, [s for text in texts for s in placed(text)])
    for name, made in exercises.items():
        needed.add_exercise(name, made)
    script = texts[0] if len(texts) == 1 and texts[0].number == 0 else None
    file = Path(script.file).name if script else NAME
    text, cells = _one_text(texts, needed.chosen, needed.made_up)
    return Submission(
        root=Path.cwd(),
        name=file,
        form=Form.FILE if script else Form.NOTEBOOK,
        sources={file: text, **_local_modules(needed.chosen)},
        entries={
            exercise.name: file
            for exercise in pack.exercises
            if any(exercise.name in s.binds for s in needed.chosen)
        },
        notes=tuple(needed.notes),
        cells=() if script else cells,
        pack=pack,
    )


def executed(namespace: Mapping[str, Any]) -> list[Executed]:
    """All that this session has executed and remembers, in order."""
    history = namespace.get("_ih")
    if isinstance(history, list):
        cells = [_cell(n, text) for n, text in enumerate(history) if isinstance(text, str)]
        return [cell for cell in cells if cell.text.strip()]
    entries = list(_entries(namespace))
    if entries:
        return sorted(entries, key=lambda entry: entry.number)
    script = namespace.get("__file__")
    if not isinstance(script, str):
        return []
    text = "".join(linecache.getlines(script))
    return [Executed(0, text, script)] if text else []


def _cell(number: int, text: str) -> Executed:
    """A cell; of one that a magic like `%%time` ran, the code under the magic."""
    match parsed(text):
        case ast.Module(body=[ast.Expr(ast.Call(ast.Attribute(attr="run_cell_magic"), args=args))]):
            words = [word.value for word in args if isinstance(word, ast.Constant)]
            written = f"%%{words[0]!s}\n{words[-1]!s}"
            above = magics_above(written.split("\n"))
            return Executed(number, "\n".join(python_lines(written)), above=above)
    return Executed(number, text)


def _entries(namespace: Mapping[str, Any]) -> Iterator[Executed]:
    """What was typed at Python's own prompt, from 3.13 on; some versions keep functions alone."""
    whole = {file for file in linecache.cache if _PROMPT.fullmatch(file)}
    for file in whole:
        yield Executed(_number(file), "".join(linecache.getlines(file)), file)
    for value in list(namespace.values()):
        file = value.__code__.co_filename if isinstance(value, FunctionType) else ""
        if _PROMPT.fullmatch(file) and file not in whole:
            with suppress(OSError):
                above = "\n" * (value.__code__.co_firstlineno - 1)
                yield Executed(_number(file), above + inspect.getsource(value), file)


def _number(file: str) -> int:
    """Entries are counted from 0, and a script is 0 here."""
    return int(file.removeprefix("<python-input-").removesuffix(">")) + 1


def placed(text: Executed) -> Iterator[Placed]:
    """The statements at the top of a text; none where it is no Python."""
    return (Placed(text, statement) for statement in statements(text.text))


@dataclass
class _Needed:
    """The statements that the exercises need, as far as they are found."""

    namespace: Mapping[str, Any]
    known: Sequence[Placed]
    chosen: list[Placed] = field(default_factory=list)
    made_up: list[str] = field(default_factory=list)
    """lines for names that no statement binds: modules and plain numbers of the session"""
    notes: list[str] = field(default_factory=list)
    _names: set[str] = field(default_factory=set)

    def add_exercise(self, name: str, made: Any) -> None:
        """What defines it, and all that this uses."""
        self._names.add(name)
        statement = self._binding(name, made)
        if statement is None:
            raise BadInputError(_NO_TEXT.format(name=name))
        self._take(statement)

    def _take(self, statement: Placed) -> None:
        if statement in self.chosen:
            return
        self.chosen.append(statement)
        for name in sorted(statement.statement.uses):
            self._add(name)

    def _add(self, name: str) -> None:
        if name in self._names or name not in self.namespace or hasattr(builtins, name):
            return
        self._names.add(name)
        value = self.namespace[name]
        statement = self._binding(name, value)
        if statement is not None:
            self._take(statement)
        elif isinstance(value, ModuleType):
            self.made_up.append(f"import {value.__name__} as {name}")
        elif isinstance(value, _PLAIN):
            self.made_up.append(f"{name} = {value!r}")
        else:
            self.notes.append(_NO_CELL.format(name=name))

    def _binding(self, name: str, value: Any) -> Placed | None:
        """The last statement that binds the name; of a function's, the one that it came from."""
        candidates = [s for s in self.known if name in s.binds]
        place = _place(value)
        own = [s for s in candidates if place is not None and _holds(s, *place)]
        if not own and place is not None and self._is_without_text(value, *place):
            return None
        if own or candidates:
            return (own or candidates)[-1]
        return next((s for s in reversed(self.known) if "*" in s.binds), None)

    def _is_without_text(self, value: Any, file: str, line: int) -> bool:
        """Whether it was made here, by `exec` or at a prompt that keeps nothing."""
        if not (file.startswith("<") and getattr(value, "__module__", None) == "__main__"):
            return False
        return not any(_holds(statement, file, line) for statement in self.known)


def _place(value: Any) -> tuple[str, int] | None:
    """Where the code of a function or of a class's methods says that it is from."""
    if isinstance(value, type):
        methods = [m for m in vars(value).values() if isinstance(m, FunctionType)]
        own = [m for m in methods if m.__qualname__.startswith(f"{value.__qualname__}.")]
        return _place(own[0]) if own else None
    function = inspect.unwrap(value) if callable(value) else None
    if not isinstance(function, FunctionType):
        return None
    return function.__code__.co_filename, function.__code__.co_firstlineno


def _holds(statement: Placed, file: str, line: int) -> bool:
    """Whether the code of that file and line lies in the statement."""
    where = statement.where
    if line + where.above not in statement.statement.lines:
        return False
    if where.file:
        return where.file == file
    compiled = "".join(linecache.getlines(file)).splitlines()
    if where.above:  # what a magic has run is not always kept, and its own magics are translated
        return len(compiled) in (0, len(where.text.splitlines()) - where.above)
    return _without_end(compiled) == _without_end(where.text.splitlines())


def _without_end(lines: list[str]) -> str:
    """The text without blank lines at its end, which IPython drops."""
    return "\n".join(lines).rstrip()


def _one_text(
    texts: Sequence[Executed], chosen: Sequence[Placed], made_up: Sequence[str]
) -> tuple[str, tuple[Cell, ...]]:
    """The chosen statements, cell after cell, each on the line that it has in its cell."""
    lines = [*_future(texts), *made_up]
    cells = [Cell(0, 1)] if lines else []
    for text in texts:
        own = [each.statement for each in chosen if each.where == text]
        if own:
            if text.number:
                cells.append(Cell(text.number, len(lines) + 1))
            lines += only(text.text, own).rstrip("\n").split("\n")
    return "\n".join(lines) + "\n", tuple(cells)


def _future(texts: Sequence[Executed]) -> list[str]:
    """`from __future__ import ...` holds for the whole session, and stands before all else."""
    nodes = [s.node for text in texts for s in placed(text)]
    return list(
        dict.fromkeys(
            ast.unparse(node)
            for node in nodes
            if isinstance(node, ast.ImportFrom) and node.module == "__future__"
        )
    )


def _local_modules(chosen: Sequence[Placed]) -> dict[str, str]:
    """Files of the current folder that are imported: they go along."""
    if not any(isinstance(s.node, (ast.Import, ast.ImportFrom)) for s in chosen):
        return {}
    here = Path.cwd().resolve()
    found = {}
    for name, module in list(sys.modules.items()):
        path = Path(getattr(module, "__file__", None) or "")
        if name.isidentifier() and path.suffix == ".py" and path.resolve().parent == here:
            found[f"{name}.py"] = path.read_text(encoding="utf-8", errors="replace")
    return {file: text for file, text in found.items() if file != "__main__.py"}


_NO_TEXT = (
    "The text of {name} cannot be read: this prompt keeps none of what was typed. Define it in a "
    "notebook cell or in IPython, or put it into a file and type: attnpack check FILE"
)
_NO_CELL = (
    "{name} is used, but no cell of this session defines it, so it is missing where the code is "
    "checked. Define it in a cell, or give it as an argument."
)
