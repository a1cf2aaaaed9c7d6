"""The assertions of the hand-written pytest file, without pytest.

Every peer gets the same assertions: `bench.grade.TESTS` is the one source, and a peer that is not
pytest gets its functions and, for each parameter, the call.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from bench.grade import TESTS

MODULE = "attention"
"""what the submission is called, and imported as"""


@dataclass(frozen=True)
class Assertions:
    """A test file taken apart."""

    names: tuple[str, ...]
    """what it imports from the submission"""
    source: str
    """all else that it defines, as text; of imports, those of the submission and pytest are out"""
    calls: tuple[str, ...]
    """one for each parameter of each test, in order, as an expression"""


def assertions(text: str = TESTS) -> Assertions:
    """Take apart a pytest file whose tests have one parameter each. Raises on any other."""
    names: list[str] = []
    kept: list[ast.stmt] = []
    calls: list[str] = []
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom) and node.module == MODULE:
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.FunctionDef) and node.decorator_list:
            calls += _calls(node)
            node.decorator_list = []
            kept.append(node)
        elif not (isinstance(node, ast.Import) and node.names[0].name == "pytest"):
            kept.append(node)
    source = "\n\n".join(ast.unparse(node) for node in kept[1:])  # the first is the docstring
    return Assertions(tuple(names), source, tuple(calls))


def _calls(test: ast.FunctionDef) -> list[str]:
    """Of `@pytest.mark.parametrize("x", [1, 2]) def test(x)`: test(1), test(2)."""
    (decorator,) = test.decorator_list
    match decorator:
        case ast.Call(args=[ast.Constant(), ast.List(elts=values)]):
            return [f"{test.name}({ast.unparse(value)})" for value in values]
    raise ValueError(f"{test.name} is not parametrized by one list")
