"""Numbers for the cards of the family slips of the language."""

from __future__ import annotations

import numpy as np

from . import Value, error_of, example


@example
def nothing_returned() -> dict[str, Value]:
    def returns() -> int:
        return 2 + 2

    def ends() -> None:
        2 + 2  # noqa: B018  the result is lost, as it is on the card

    return {"right": returns(), "this bug": ends()}  # type: ignore[func-returns-value]


@example
def returns_early() -> dict[str, Value]:
    def squares(*, at_once: bool) -> list[int]:
        rows = []
        for number in (1, 2, 3):
            rows.append(number**2)
            if at_once:
                return rows
        return rows

    return {
        "rows in": 3,
        "right": squares(at_once=False),
        "this bug": squares(at_once=True),
    }


@example
def result_not_unpacked() -> dict[str, Value]:
    def f() -> tuple[int, int]:
        return 8, 3

    output, _ = f()
    return {"f(x)": f(), "output, _ = f(x)": output, "output = f(x)": f()}


@example
def function_not_called() -> dict[str, Value]:
    def causal_mask(seq_len: int) -> list[list[float]]:
        return [[0.0] * seq_len]

    return {
        "type(causal_mask)": type(causal_mask).__name__,
        "type(causal_mask(3))": type(causal_mask(3)).__name__,
    }


@example
def rows_shared() -> dict[str, Value]:
    shared = [[0] * 2] * 2
    own = [[0] * 2 for _ in range(2)]
    before = [list(row) for row in shared]
    for table in (shared, own):
        table[0][1] = 5
    return {"table": before, "change": "table[0][1] = 5", "right": own, "this bug": shared}


@example
def truth_of_array() -> dict[str, Value]:
    mask = np.array([[True, False]])
    return {
        "mask": mask,
        "bool(mask)": error_of(lambda: bool(mask)),
        "mask is not None": mask is not None,
    }
