"""A statement that raises at the top of a file ends nothing but itself."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np
import pytest

from attnpack.guest import set_aside


def ran(text: str) -> dict[str, Any]:
    namespace: dict[str, Any] = {}
    namespace[set_aside.NAME] = set_aside.Hook(namespace)
    exec(compile(set_aside.guarded(ast.parse(text)), "a.py", "exec"), namespace)
    return namespace


def test_what_follows_a_statement_that_raised_is_run() -> None:
    found = ran("'''Doc.'''\nfrom __future__ import annotations\nx = 1 / 0\ny = 2\nexit()\nz = 3")
    assert (found["y"], found["z"], found["__doc__"]) == (2, 3, "Doc.")


def test_a_name_raises_what_its_statement_raised_with_the_line() -> None:
    found = ran("\nx = 1 / 0\ndef use():\n    return x + 1")
    with pytest.raises(ZeroDivisionError) as raised:
        found["use"]()
    assert raised.traceback[-1].lineno + 1 == 2
    assert set_aside.raised_for(found, "x") is raised.value


def test_a_name_that_was_bound_before_stays() -> None:
    assert ran("x = 1\nx = 1 / 0")["x"] == 1


def test_a_library_that_is_missing_may_be_mentioned() -> None:
    found = ran(
        "import not_there as nt\nfrom not_there.types import Float\n"
        "def f(x: nt.DataFrame | None, y: Float[int, 'n']) -> nt.X[3]:\n"
        "    return isinstance(x, nt.DataFrame)\n"
        "def g():\n    return nt.f()"
    )
    assert found["f"](1, 2) is False
    with pytest.raises(ModuleNotFoundError, match="not_there"):
        found["g"]()


@pytest.mark.parametrize(
    "use", ["x()", "x @ a", "a @ x", "a + x", "-x", "x[0]", "x.shape", "len(x)", "list(x)",
            "bool(x)", "float(x)", "np.exp(x)", "x == 1 or x < 1", "x.a = 1", "3 * x"],
)  # fmt: skip
def test_whatever_is_done_with_the_name_raises(use: str) -> None:
    namespace = {"x": ran("x = {}['k']")["x"], "a": np.ones((2, 2)), "np": np}
    with pytest.raises(KeyError):
        exec(use, namespace)


def test_a_class_on_one_that_is_missing_is_missing() -> None:
    found = ran("from not_there import Base\nclass Mine(Base):\n    pass")
    assert isinstance(set_aside.raised_for(found, "Mine"), ModuleNotFoundError)
    found = ran("from not_there import *")
    assert isinstance(set_aside.raised_for(found, "softmax"), ModuleNotFoundError)
    assert set_aside.raised_for(ran("x = 1"), "softmax") is None
