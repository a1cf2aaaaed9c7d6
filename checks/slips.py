"""Slips that the source and the answers show together: nothing returned, a return too early."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from attnpack.calls import Outcome
from attnpack.pack.kinds import Suspect, Verdict
from attnpack.terms import Match, Status

from .code import Code, Function, called
from .probe import Answered, usable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from attnpack.diagnosis.source_lines import Place

Slip: TypeAlias = "Callable[[Code, Sequence[Answered], Verdict], Place | None]"
Loop = ast.For | ast.AsyncFor | ast.While


def slipped(code: Code | None, all_answered: Sequence[Answered], verdict: Verdict) -> list[Suspect]:
    """What the source and the answers prove together, whatever model gives the same numbers."""
    return _first(_PROVEN, code, all_answered, verdict)


def may_have_slipped(
    code: Code | None, all_answered: Sequence[Answered], verdict: Verdict
) -> list[Suspect]:
    """What the source shows, where no model gives the numbers."""
    return _first(_SHOWN, code, all_answered, verdict)


def _first(
    slips: Mapping[str, Slip],
    code: Code | None,
    all_answered: Sequence[Answered],
    verdict: Verdict,
) -> list[Suspect]:
    for bug, find in slips.items() if code is not None else ():
        assert code is not None
        place = find(code, all_answered, verdict)
        if place is not None:
            return [Suspect(bug, Match.LIKELY, file=place.file, line=place.line)]
    return []


def _nothing_returned(
    code: Code, all_answered: Sequence[Answered], verdict: Verdict
) -> Place | None:
    """None came, and some way through the function ends without a result."""
    answer = verdict.answer
    came = [answer] if answer is not None else [a for each in all_answered for a in each.answers]
    nothing = any(a.outcome is Outcome.RETURNED and a.form == "none" for a in came)
    if not nothing or code.asked is None:
        return None
    ending = _without_result(code.asked.body)
    return None if ending is None else code.at(ending.lineno)


def _without_result(body: Sequence[ast.stmt]) -> ast.stmt | None:
    """The statement after which a block ends with nothing; None where it returns or raises."""
    last = body[-1]
    if isinstance(last, ast.Return):
        empty = last.value is None or _is_none(last.value)
        return last if empty else None
    if isinstance(last, ast.Raise):
        return None
    if isinstance(last, ast.If):
        return _without_result(last.body) or (_without_result(last.orelse) if last.orelse else last)
    if isinstance(last, ast.With):
        return _without_result(last.body)
    return last


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _returns_early(code: Code, all_answered: Sequence[Answered], verdict: Verdict) -> Place | None:
    """A loop whose first round always returns."""
    del all_answered
    if verdict.status is not Status.FAILED:
        return None
    for function in _functions(code):
        for loop in ast.walk(function):
            if not isinstance(loop, Loop):
                continue
            returns = [s for s in loop.body if isinstance(s, ast.Return)]
            skips = any(isinstance(n, ast.Continue) for s in loop.body for n in ast.walk(s))
            if returns and not skips:
                return code.at(returns[0].lineno)
    return None


def _functions(code: Code) -> Iterator[Function]:
    return (node for node in code.own if isinstance(node, Function))


def _rows_shared(code: Code, all_answered: Sequence[Answered], verdict: Verdict) -> Place | None:
    """A list of lists made with *, and every row that came is the same."""
    if verdict.status is not Status.FAILED or not _rows_are_equal(all_answered):
        return None
    return code.find(_repeats_a_list)


def _repeats_a_list(node: ast.AST) -> bool:
    """`[[0] * n] * m`: one list, m times."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Mult):
        return False
    outer = next((s for s in (node.left, node.right) if isinstance(s, ast.List)), None)
    return outer is not None and len(outer.elts) == 1 and _is_list(outer.elts[0])


def _is_list(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        return _is_list(node.left) or _is_list(node.right)
    return isinstance(node, ast.List | ast.ListComp) or called(node) == "list"


def _rows_are_equal(all_answered: Sequence[Answered]) -> bool:
    tables = [
        np.asarray(array)
        for each in all_answered
        for answer in each.answers
        if usable(answer)
        for array in answer.arrays[:1]
    ]
    large = [table for table in tables if table.ndim >= 2 and table.shape[-2] > 1]
    return bool(large) and all((table == table[..., :1, :]).all() for table in large)


_PROVEN: Mapping[str, Slip] = {"nothing-returned": _nothing_returned, "rows-shared": _rows_shared}
_SHOWN: Mapping[str, Slip] = {"returns-early": _returns_early}
