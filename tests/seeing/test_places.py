"""The expression at fault is found in code of many forms, apart from what it is part of."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from attnpack.checking.runner import check
from attnpack.host.pool import open_pool
from attnpack.submission import load
from attnpack.terms import Backend, Proof

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from attnpack.host.pool import GuestPool
    from attnpack.report.model import NamedBug

SCORES = {
    "a wrong divisor": (
        "return Q @ np.swapaxes(K, -1, -2) / d_k",
        "d_k",
    ),
    "inside a larger expression": (
        "return (1 / np.sqrt(d_k + 1)) * (Q @ np.swapaxes(K, -1, -2))",
        "d_k + 1",
    ),
    "a helper that is wrong": (
        (
            "return product(Q, K) / np.sqrt(d_k)\n\n"
            "def product(a, b):\n    return a @ b.swapaxes(-1, -2) * 2"
        ),
        "a @ b.swapaxes(-1, -2) * 2",
    ),
    "a lambda": (
        "return (lambda width: Q @ np.swapaxes(K, -1, -2) / width ** 0.25)(d_k)",
        "width ** 0.25",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def pool() -> Iterator[GuestPool]:
    with open_pool(Backend.NUMPY) as guests:
        yield guests


def bug(body: str, folder: Path, pool: GuestPool) -> NamedBug:
    first, *rest = body.split("\n")
    source = f"import numpy as np\n\ndef attention_scores(Q, K, d_k):\n    {first}\n"
    (folder / "attention.py").write_text(source + "\n".join(rest) + "\n", encoding="utf-8")
    given = load(folder / "attention.py")
    report = check(given, backend=Backend.NUMPY, seed=1, exercises=["attention_scores"], pool=pool)
    failing = report.exercises[0].failing
    assert failing is not None
    return failing.bugs[0]


@pytest.mark.parametrize(("body", "expression"), SCORES.values(), ids=SCORES.keys())
def test_the_guilty_expression_is_proven(
    body: str, expression: str, tmp_path: Path, pool: GuestPool
) -> None:
    found = bug(dedent(body), tmp_path, pool)
    assert found.spot is not None
    assert found.spot.expression == expression
    assert found.spot.proof is Proof.REPLACED
    assert found.spot.answers > 10


def test_what_raises_is_stated_with_its_columns(tmp_path: Path, pool: GuestPool) -> None:
    found = bug("return Q @ np.swapaxes(K, -1, -2) / np.sqrt()", tmp_path, pool)
    assert found.spot is not None
    assert (found.spot.expression, found.spot.proof) == ("np.sqrt()", Proof.STATED)
