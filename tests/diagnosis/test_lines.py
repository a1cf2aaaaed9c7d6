"""Which traced value is known, in whatever layout, and which departs."""

from __future__ import annotations

import numpy as np

from attnpack.calls import TraceEvent
from attnpack.diagnosis.lines import (
    Array,
    Entry,
    Library,
    first_departing,
    first_equal,
    is_neutral,
    is_part,
    last_equal,
)

RNG = np.random.default_rng(5)
HEADS = RNG.normal(size=(2, 3, 4, 5))  # (B, h, T, d_k)
TABLE = RNG.normal(size=(4, 6))
RIGHT = Library([Entry("heads", HEADS, 1e-9), Entry("table", TABLE, 1e-9)])


def event(line: int, array: Array, name: str = "a") -> TraceEvent:
    return TraceEvent("mine.py", line, "forward", name, array)


def test_a_slice_along_leading_axes_is_known() -> None:
    assert RIGHT.name_of(HEADS[1]) == "heads"
    assert RIGHT.name_of(HEADS[0, 2]) == "heads"
    assert RIGHT.name_of(HEADS[1:2]) == "heads"


def test_folded_leading_axes_are_known() -> None:
    assert RIGHT.name_of(HEADS.reshape(6, 4, 5)) == "heads"


def test_a_row_and_the_beginning_of_a_row_are_known() -> None:
    assert RIGHT.name_of(TABLE[2]) == "table"
    assert RIGHT.name_of(TABLE[2, :3]) == "table"


def test_a_transposed_table_is_not_the_table() -> None:
    assert RIGHT.name_of(TABLE.T) is None


def test_permuted_axes_are_not_the_tensor() -> None:
    assert RIGHT.name_of(HEADS.transpose(0, 3, 2, 1)) is None


def test_a_constant_factor_is_not_forgiven() -> None:
    assert RIGHT.name_of(2.0 * TABLE) is None


def test_any_fill_that_closes_is_minus_infinity() -> None:
    masked = np.where(TABLE > 0, TABLE, -np.inf)
    filled = np.where(TABLE > 0, TABLE, -1e9)
    assert is_part(filled, masked, 1e-9)
    assert not is_part(np.where(TABLE > 0, TABLE, -10.0), masked, 1e-9)


def test_nan_is_not_ignored() -> None:
    spoiled = TABLE.copy()
    spoiled[0, 0] = np.nan
    assert RIGHT.name_of(spoiled) is None


def test_constants_and_indices_say_nothing() -> None:
    assert is_neutral(np.zeros((3, 3)))
    assert is_neutral(np.arange(5))
    assert not is_neutral(TABLE)


def test_the_first_unknown_value_departs_and_a_buffer_being_filled_does_not() -> None:
    buffer = np.zeros_like(TABLE)
    half = buffer.copy()
    half[:2] = TABLE[:2]
    wrong = TABLE + 1.0
    events = [event(1, buffer), event(2, half), event(3, TABLE), event(4, wrong)]
    departing = first_departing(events, RIGHT)
    assert departing is not None
    assert departing.line == 4


def test_nothing_departs_where_all_is_known() -> None:
    assert first_departing([event(1, TABLE), event(2, HEADS[0])], RIGHT) is None


def test_the_first_part_of_a_wanted_array_that_only_a_wrong_run_holds_is_taken() -> None:
    wanted = Entry("wrong", np.stack([TABLE, TABLE + 2.0]), 1e-9)
    events = [event(1, TABLE), event(2, TABLE + 2.0), event(3, wanted.array)]
    found = first_equal(events, wanted, RIGHT)
    assert found is not None
    assert found.line == 2


def test_a_part_that_right_code_holds_too_proves_nothing() -> None:
    wanted = Entry("wrong", np.stack([TABLE, TABLE + 2.0]), 1e-9)
    assert first_equal([event(1, TABLE)], wanted, RIGHT) is None


def test_the_last_equal_value_stops_at_the_departing_one() -> None:
    wanted = Entry("raw", TABLE, 1e-9)
    departing = event(3, TABLE + 1.0)
    events = [event(1, TABLE), event(2, TABLE), departing, event(4, TABLE)]
    found = last_equal(events, wanted, departing)
    assert found is not None
    assert found.line == 2
