"""Relative imports of files that lie in one folder here, and lay in a package at home."""

from __future__ import annotations

import ast


def absolute(tree: ast.Module, file: str) -> ast.Module:
    """The same file; what it imports from beyond its own folders is looked for at the top."""
    depth = file.count("/")
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                setattr(node, name, [_absolute(each, depth) for each in value])
    return tree


def _absolute(node: object, depth: int) -> object:
    if not isinstance(node, ast.ImportFrom) or node.level <= depth:
        return node
    if node.module is None:
        return ast.copy_location(ast.Import(node.names), node)
    node.level = 0
    return node
