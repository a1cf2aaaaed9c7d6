"""Of each file, the statements at its top that the exercises need.

An assertion of one's own, a plot, a training run, an import for them: what no exercise uses is
left out before the code goes to a guest, so that it can cost nothing. Lines that are left out
are blank, so that every other line keeps its number. Nothing here runs the code.
"""

from __future__ import annotations

import ast
import builtins
import symtable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from attnpack.guest.definitions import blocks, defined, is_own_result
from attnpack.submission.syntax import parsed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_BY_NAME = frozenset({"globals", "vars", "locals", "exec", "eval"})
"""with these, code reaches names that it does not mention"""
_CHANGING = frozenset({"next", "exec"})
"""the built-in functions that change what they are given, beside `setattr`"""
_UNSAID = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_UNSPOKEN = _BY_NAME | {"getattr", "attrgetter", "__dict__", "importlib", "__import__"}
"""with these, also the names of another module"""
ALL = "*"


@dataclass(frozen=True)
class Statement:
    """A statement at the top of a file."""

    node: ast.stmt
    binds: frozenset[str]
    """names that it binds; "*" where it may bind any"""
    stores: frozenset[str]
    """names of objects into which it stores: `Name.x = ...`, `Name[i] = ...`"""
    touches: frozenset[str]
    """names of objects whose methods it calls for their effect, or that it hands on"""
    uses: frozenset[str]
    """names that it takes from the top of the file, its functions' bodies included"""
    assigns: frozenset[str]
    """names that its functions declare `global`"""

    @property
    def first_line(self) -> int:
        """Counted from 1, with its decorators."""
        if isinstance(self.node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            return min([self.node.lineno, *(each.lineno for each in self.node.decorator_list)])
        return self.node.lineno

    @property
    def last_line(self) -> int:
        """Counted from 1, too."""
        return self.node.end_lineno or self.node.lineno

    @property
    def lines(self) -> range:
        """All its lines."""
        return range(self.first_line, self.last_line + 1)


@lru_cache(maxsize=128)
def statements(text: str) -> tuple[Statement, ...]:
    """What stands at the top of a text, in order; nothing where it is not Python."""
    tree = parsed(text)
    if tree is None:
        return ()
    try:
        tables = _tables(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()  # found only when the scopes are: `return` outside a function
    return tuple(_statement(node, tables) for node in tree.body)


def needed(known: Sequence[Statement], names: Iterable[str]) -> list[Statement]:
    """The statements that these names need, in order.

    All that bind a name are taken, as the last one may build on those before; and all that
    change an object which a needed name stands for.
    """
    serving, bound = _serving(known)
    wanted = {*names, *(name for name in bound if name.startswith("__"))}
    waiting = list(wanted)
    chosen: set[int] = set()
    while waiting:
        for at in serving.get(waiting.pop(), ()):
            if at in chosen:
                continue
            chosen.add(at)
            more = known[at].uses - wanted
            wanted |= more
            waiting += more
        if not waiting:
            waiting = list(_out_of_sight(wanted, bound))
            wanted.update(waiting)
    return [known[at] for at in sorted(chosen)]


def _serving(known: Sequence[Statement]) -> tuple[dict[str, list[int]], set[str]]:
    """Name -> the statements that bind it or change what it stands for; and all bound names."""
    data = _data(known)
    sets = {name: each.assigns for each in known if each.assigns for name in each.binds}
    serving: dict[str, list[int]] = {}
    for at, each in enumerate(known):
        served = each.binds | each.stores | each.touches & data
        if not isinstance(each.node, _UNSAID):
            served = served.union(*(sets[name] for name in each.uses & sets.keys()))
        for name in served:
            serving.setdefault(name, []).append(at)
    return serving, {name for each in known for name in each.binds}


def _out_of_sight(wanted: set[str], bound: set[str]) -> set[str]:
    """What else is wanted where code may reach names that it does not mention."""
    more = set()
    if wanted - bound - set(dir(builtins)):
        more.add(ALL)
    if wanted & _BY_NAME:
        more |= bound
    return more - wanted


def only(text: str, kept: Iterable[Statement]) -> str:
    """The text with every line blank that none of these statements stands on."""
    future = [each for each in statements(text) if _is_future(each.node)]
    numbers = {number for each in (*kept, *future) for number in each.lines}
    lines = text.split("\n")
    return "\n".join(line if n in numbers else "" for n, line in enumerate(lines, start=1))


@dataclass(frozen=True)
class Reduced:
    """The sources as they go to a guest."""

    sources: Mapping[str, str]
    left_out: Mapping[str, tuple[range, ...]]
    """file -> the lines of what would do something and is not run, those in a row together"""


def reduced(sources: Mapping[str, str], entries: Mapping[str, str]) -> Reduced:
    """What a guest needs of the sources to run the exercises; `entries` says where each is.

    Files that do not parse, and files that nobody imports, stay as they are.
    """
    texts: dict[str, str] = {}
    left_out: dict[str, tuple[range, ...]] = {}
    wanted = _wanted(sources, entries)
    for file, text in sources.items():
        names, known = wanted[file], statements(text)
        kept = needed(known, names) if names else known
        texts[file] = only(text, kept) if len(kept) < len(known) else text
        left_out[file] = tuple(_left_out(known, {id(each) for each in kept}))
    return Reduced(texts, left_out)


def _wanted(sources: Mapping[str, str], entries: Mapping[str, str]) -> dict[str, set[str]]:
    """File -> the names of it that exercises and other files need, until there are no more.

    Who imports all of a file needs what is mentioned where it is imported, and is needed there.
    """
    imports = {file: imports_of(text) for file, text in sources.items()}
    explicit: dict[str, set[str]] = {}
    whole: dict[str, list[str]] = {}
    for file in sources:
        explicit[file] = {name for name, where in entries.items() if where == file}
        for other in sources.keys() - {file}:
            names = _imported_from(file, [imports[other]])
            explicit[file] |= names
            if ALL in names:
                whole.setdefault(file, []).append(other)
    wanted = explicit
    while whole:
        before = {file: set(names) for file, names in wanted.items()}
        mentioned = {
            file: _mentioned(statements(text), wanted[file]) if wanted[file] else set()
            for file, text in sources.items()
        }
        wanted = {
            file: names | _taken(statements(sources[file]), [mentioned[o] for o in whole[file]])
            if file in whole
            else names
            for file, names in wanted.items()
        }
        if wanted == before:
            break
    return wanted


def _mentioned(known: Sequence[Statement], wanted: set[str]) -> set[str]:
    """Every word in what is needed of a file; "*" where code may reach names without a word."""
    kept = needed(known, wanted - {ALL}) if wanted - {ALL} else known
    words = set(wanted - {ALL})
    for each in kept:
        for node in ast.walk(each.node):
            if isinstance(node, ast.Name):
                words.add(node.id)
            elif isinstance(node, ast.Attribute):
                words.add(node.attr)
            elif isinstance(node, ast.alias):
                words.add(node.name)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                words.add(node.value)
    words.discard(ALL)  # of `from parts import *`
    return words | ({ALL} if words & _UNSPOKEN else set())


def _taken(known: Sequence[Statement], mentioned: Sequence[set[str]]) -> set[str]:
    """What others take of a file that they import whole."""
    bound = {name for each in known for name in each.binds}
    if any(ALL in words for words in mentioned):
        return bound
    words = set[str]().union(*mentioned)
    return words if ALL in bound else words & bound


def _left_out(known: Sequence[Statement], kept: set[int]) -> Iterator[range]:
    """The lines of what is not run, from the first to the last of those in a row."""
    row: list[Statement] = []
    for each in known:
        if id(each) not in kept and _does_something(each.node):
            row.append(each)
        elif row:
            yield range(row[0].first_line, row[-1].last_line + 1)
            row = []
    if row:
        yield range(row[0].first_line, row[-1].last_line + 1)


def _data(known: Sequence[Statement]) -> frozenset[str]:
    """Names that an assignment binds to something which can be changed in place."""
    return frozenset(
        name
        for each in known
        if not isinstance(each.node, _UNSAID) and not _is_constant(each.node)
        for name in each.binds
    )


def _is_constant(node: ast.stmt) -> bool:
    value = getattr(node, "value", None)
    if isinstance(value, ast.UnaryOp):
        value = value.operand
    return isinstance(value, ast.Constant)


def _statement(node: ast.stmt, tables: Sequence[symtable.SymbolTable]) -> Statement:
    inside = [each for block in blocks([node]) for each in block]
    binds = {name for each in inside for name in defined(each)}
    outer = list(_outside_functions(node))
    local = {id(n) for n in outer if isinstance(n, ast.comprehension) for n in ast.walk(n.target)}
    names = [n for n in outer if isinstance(n, ast.Name) and id(n) not in local]
    binds |= {n.id for n in names if not isinstance(n.ctx, ast.Load)}
    uses = {n.id for n in names if isinstance(n.ctx, ast.Load)}
    if is_own_result(node):
        binds = set()
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        uses.add(node.target.id)
    stores = {root for n in outer if (root := _stored_into(n))}
    touches = {name for each in inside for name in _touched(each)}
    if (stores | touches) & _BY_NAME:
        binds.add(ALL)
    span = range(node.lineno, (node.end_lineno or node.lineno) + 1)
    own = [table for table in tables if table.get_lineno() in span]
    symbols = [symbol for table in own for symbol in _all_symbols(table)]
    uses |= {s.get_name() for s in symbols if s.is_global()}
    assigns = {s.get_name() for s in symbols if s.is_declared_global() and s.is_assigned()}
    return Statement(node, *map(frozenset, (binds, stores, touches, uses, assigns)))


def _tables(text: str) -> list[symtable.SymbolTable]:
    """The scopes of the functions and classes at the top of a text."""
    return symtable.symtable(text, "text", "exec").get_children()


def _all_symbols(table: symtable.SymbolTable) -> Iterator[symtable.Symbol]:
    waiting = [table]
    while waiting:
        inner = waiting.pop()
        waiting += inner.get_children()
        yield from inner.get_symbols()


def _outside_functions(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that run in the file's own scope: decorators and defaults, but no bodies."""
    waiting: list[ast.AST] = [node]
    while waiting:
        at = waiting.pop()
        yield at
        inner: set[int] = set()
        if isinstance(at, _SCOPES):
            inner = {id(each) for each in (at.body if isinstance(at.body, list) else [at.body])}
        waiting += [child for child in ast.iter_child_nodes(at) if id(child) not in inner]


def _stored_into(node: ast.AST) -> str | None:
    """The name at the root of `a.b = ...`, `del a[i]` or `setattr(a, ...)`."""
    match node:
        case ast.Call(func=ast.Name(id="setattr" | "delattr"), args=[place, *_]):
            return _root(place)
        case (
            ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del())
        ):
            return _root(node)
    return None


def _root(node: ast.AST) -> str | None:
    while True:
        match node:
            case ast.Attribute(value=inner) | ast.Subscript(value=inner) | ast.Call(func=inner):
                node = inner
            case ast.Name(id=name):
                return name
            case _:
                return None


def _touched(statement: ast.stmt) -> Iterator[str]:
    """What a call that stands alone may change: whose method it is, and what it is given."""
    if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)):
        return
    call = statement.value
    function = call.func
    if isinstance(function, ast.Name) and hasattr(builtins, function.id):
        if function.id not in _CHANGING:
            return
        yield function.id
    if isinstance(function, ast.Attribute) and (root := _root(function)):
        yield root
    yield from (argument.id for argument in call.args if isinstance(argument, ast.Name))


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _does_something(node: ast.stmt) -> bool:
    """Whether a learner may miss it: not a definition, an import, a text or the `__main__` part."""
    match node:
        case ast.Expr(value=ast.Constant()):
            return False
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
            return False
    return not isinstance(node, _UNSAID)


@dataclass(frozen=True)
class Imported:
    """A module that a text imports."""

    module: str
    """as written, without the dots of a relative import"""
    names: frozenset[str]
    """what it takes from it; "*" for the whole of it"""
    perhaps: bool = False
    """`from package import name`, where the name may be a module or something in it"""


def imports_of(text: str) -> list[Imported]:
    """All imports of a text, also inside functions."""
    tree = parsed(text)
    found = []
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Import):
            found += [Imported(alias.name, frozenset({ALL})) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = frozenset(alias.name for alias in node.names)
            found.append(Imported(node.module or "", names))
            inner = f"{node.module}." if node.module else ""
            found += [Imported(f"{inner}{name}", frozenset({ALL}), perhaps=True) for name in names]
        elif isinstance(node, ast.Name) and node.id in ("importlib", "__import__"):
            found.append(Imported(ALL, frozenset({ALL})))
    return found


def _imported_from(file: str, imports: Iterable[Iterable[Imported]]) -> set[str]:
    """The names that the others import from a file."""
    module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return {
        name
        for found in imports
        for each in found
        if each.module in (module, ALL) or (each.module.endswith(f".{module}") and not each.perhaps)
        for name in each.names
    }
