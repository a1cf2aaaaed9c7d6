"""Every mutant of a source text: one change each, no two alike."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

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


def mutants(source: str) -> Iterator[Mutant]:
    """One after another, in the order of the text."""
    module = cst.parse_module(source)
    seen = {source}
    for kind, changed in _variants(module):
        if changed in seen or not _compiles(changed):
            continue
        seen.add(changed)
        yield Mutant(kind, changed, _change(source, changed))


def _variants(module: cst.Module) -> Iterator[tuple[str, str]]:
    collected = _Collected()
    module.visit(collected)
    for node in collected.nodes:
        if isinstance(node, cst.SimpleStatementLine):
            yield "statement dropped", _replaced(module, node, dropped(node))
        else:
            for kind, other in changes(node):
                yield kind, _replaced(module, node, other)


def _replaced(module: cst.Module, node: cst.CSTNode, other: cst.CSTNode) -> str:
    changed = module.deep_replace(node, other)  # type: ignore[arg-type]
    assert isinstance(changed, cst.Module)
    return changed.code


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
