"""Whether a definition still says nothing, as in the stubs that learners are given."""

from __future__ import annotations

import ast


def is_blank(statement: ast.stmt) -> bool:
    """Nothing but `pass`, `...`, texts, `raise NotImplementedError` and `super().__init__()`."""
    match statement:
        case ast.FunctionDef(body=body) | ast.AsyncFunctionDef(body=body) | ast.ClassDef(body=body):
            return all(map(is_blank, body))
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.Raise(exc=ast.Name(id=name)) | ast.Raise(exc=ast.Call(func=ast.Name(id=name))):
            return name == "NotImplementedError"
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Call(func=ast.Name(id=name))))):
            return name == "super"
    return False
