"""Every number that a card prints is computed again and compared with what is printed."""

from __future__ import annotations

import ast
import re

import numpy as np
import pytest

from attnpack import pack

from . import examples
from .examples import (  # each registers its examples
    causal,
    feed,
    gradients,
    loading,
    mask,
    norm,
    precision,
    products,
    projections,
    scaling,
    slips,
    softmax,
)

FAMILIES = (
    softmax,
    scaling,
    mask,
    causal,
    products,
    projections,
    norm,
    feed,
    precision,
    gradients,
    slips,
    loading,
)
CARDS = {bug.id: bug.card for bug in pack.load().bugs().values()}
NUMBER = re.compile(r"-?(?:\d+(?:\.\d+)?(?:e-?\d+)?|inf)|nan|True|False|None")


def printed_values(example: str) -> dict[str, str]:
    """Label -> value as printed: two spaces end the label, `  #` begins a remark."""
    values = {}
    for line in example.splitlines():
        label, value = re.split(r" {2,}", line.split("  # ")[0], maxsplit=1)
        values[label] = value
    return values


def printed_shape(printed: str) -> tuple[int, ...]:
    """The shape of the printed value, read with each number as a 0."""
    return np.array(ast.literal_eval(NUMBER.sub("0", printed))).shape


def assert_printed(value: object, printed: str) -> None:
    """The value is the printed one, rounded to as many digits as are printed."""
    if value is None or isinstance(value, str):
        assert printed == str(value)
        return
    if isinstance(value, tuple):
        assert printed == str(value)
        return
    array = np.asarray(value)
    assert printed_shape(printed) == array.shape
    for number, digits in zip(array.ravel().tolist(), NUMBER.findall(printed), strict=True):
        assert_number(number, digits)


def assert_number(number: float, digits: str) -> None:
    """One number against its printed digits."""
    if isinstance(number, bool):
        assert digits == str(number)
        return
    decimals = len(digits.partition(".")[2])
    slack = 0.0 if "e" in digits else 0.5 * 10.0**-decimals + 1e-9
    assert float(digits) == pytest.approx(number, rel=0, abs=slack, nan_ok=True)
    if decimals == 0 and slack:
        assert float(digits) == pytest.approx(number, nan_ok=True), "printed as a whole number"


def test_every_card_has_a_computation_and_every_computation_a_card() -> None:
    assert set(examples.EXAMPLES) == set(CARDS)
    assert len(FAMILIES) == len({card.family for card in CARDS.values()})


@pytest.mark.parametrize("bug_id", CARDS)
def test_the_numbers_on_the_card_are_right(bug_id: str) -> None:
    computed = examples.EXAMPLES[bug_id]()
    printed = printed_values(CARDS[bug_id].example)
    assert list(printed) == list(computed)
    for label, value in computed.items():
        assert_printed(value, printed[label])


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        ([0.5, 0.25], "[0.5, 0.26]"),
        ([[1, 2]], "[1, 2]"),
        ([1.4], "[1]"),
        ([np.nan], "[0]"),
        ([-np.inf], "[inf]"),
        ([True], "[False]"),
        ((1, 2), "(2, 1)"),
        ("ValueError", "TypeError"),
        (None, "0"),
    ],
)
def test_a_wrong_number_on_a_card_would_be_seen(value: object, printed: str) -> None:
    with pytest.raises(AssertionError):
        assert_printed(value, printed)
