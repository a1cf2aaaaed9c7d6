"""Every mutant of a source text: one change each, no two alike."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, ParentNodeProvider, PositionProvider

from bench.mutants.changes import changes, dropped

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True)
class Mutant:
    """A source text with one small change."""

    kind: str
    source: str
    change: str
    """the lines that differ, "before -> after", without their comments"""
    before: str = ""
    changed: cst.CSTNode | None = None
    """what stands in the place of what was changed"""
    module: cst.Module | None = None


class Extent(NamedTuple):
    """A piece of a text: lines from 1, columns from 0, the end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


class Whereabouts(NamedTuple):
    """Where a mutant was changed, in its own text."""

    expression: Extent
    parent: Extent
    """of the expression that the changed one is an operand or an argument of; else itself"""
    statement: Extent
    """without the body, where it has one"""


def whereabouts(mutant: Mutant) -> Whereabouts:
    """Where the change stands in the mutant's text."""
    assert mutant.module is not None
    assert mutant.changed is not None
    wrapper = MetadataWrapper(mutant.module, unsafe_skip_copy=True)
    places = wrapper.resolve(PositionProvider)
    parents = wrapper.resolve(ParentNodeProvider)
    up = [mutant.changed]
    while not isinstance(up[-1], cst.Module):
        up.append(parents[up[-1]])
    if isinstance(up[1], cst.UnaryOperation):
        del up[0]  # the sign belongs to its number
    outer = next((n for n in up[1:] if isinstance(n, cst.BaseExpression | cst.BaseStatement)), None)
    statement = next(n for n in up if isinstance(n, cst.BaseStatement | cst.SimpleStatementLine))
    parent = outer if isinstance(outer, cst.BaseExpression) else up[0]
    head = places[statement]
    if isinstance(statement, cst.BaseCompoundStatement):
        head = CodeRange(head.start, places[statement.body].start)
    return Whereabouts(*(_extent(place) for place in (places[up[0]], places[parent], head)))


def _extent(place: CodeRange) -> Extent:
    return Extent(place.start.line, place.start.column, place.end.line, place.end.column)


def mutants(source: str) -> Iterator[Mutant]:
    """One after another, in the order of the text."""
    module = cst.parse_module(source)
    seen = {source}
    for kind, other, changed in _variants(module):
        code = changed.code
        if code in seen or not _compiles(code):
            continue
        seen.add(code)
        yield Mutant(kind, code, _change(source, code), source, other, changed)


def _variants(module: cst.Module) -> Iterator[tuple[str, cst.CSTNode, cst.Module]]:
    """Kind, what is put in, and the module with it."""
    collected = _Collected()
    module.visit(collected)
    for node in collected.nodes:
        if isinstance(node, cst.SimpleStatementLine):
            empty = dropped(node)
            yield "statement dropped", empty, _replaced(module, node, empty)
        else:
            for kind, other in changes(node):
                yield kind, other, _replaced(module, node, other)


def _replaced(module: cst.Module, node: cst.CSTNode, other: cst.CSTNode) -> cst.Module:
    changed = module.deep_replace(node, other)  # type: ignore[arg-type]
    assert isinstance(changed, cst.Module)
    return changed


def _compiles(source: str) -> bool:
    try:
        compile(source, "mutant.py", "exec")
    except SyntaxError:
        return False
    return True


def _change(before: str, after: str) -> str:
    lines = list(difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0))
    sides = (_joined(lines[2:], sign) for sign in "-+")
    return " -> ".join(sides)


def _joined(lines: list[str], sign: str) -> str:
    kept = (line[1:].split("  #")[0].strip() for line in lines if line.startswith(sign))
    return " / ".join(kept)


class _Collected(cst.CSTVisitor):
    """The nodes worth changing: no docstrings, imports, annotations, messages or random numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.nodes: list[cst.CSTNode] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        """Collect, and say whether to look inside."""
        if isinstance(node, (cst.Import, cst.ImportFrom, cst.Annotation, cst.BaseString)):
            return False
        if isinstance(node, cst.FunctionDef) and node.name.value == "random_matrix":
            return False
        if isinstance(node, cst.SimpleStatementLine):
            if _is_docstring_or_import(node):
                return False
            self.nodes.append(node)
            return True
        self.nodes.append(node)
        return True


def _is_docstring_or_import(line: cst.SimpleStatementLine) -> bool:
    first = line.body[0]
    if isinstance(first, (cst.Import, cst.ImportFrom)):
        return True
    return isinstance(first, cst.Expr) and isinstance(first.value, cst.BaseString)
