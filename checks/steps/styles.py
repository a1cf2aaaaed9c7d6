"""Right ways to block masked keys that give the same answer, unless another bug shows them.

Those that fill (paired) differ among themselves only where a fill of -inf gives NaN; the forms of
GELU differ everywhere, so each has a tag of its own.

Under a wrong axis or in a row with nothing left to see, a fill of -1e9 and one of -inf part
ways; the search tries a bug in every style.
"""

from __future__ import annotations

from attnpack.diagnosis.models import Model

from . import blocking, feeding

INFINITE = float("inf")
LOWEST = -3.4028234663852886e38

_MINUS_INFINITY = Model("", {}, "-inf")
STYLES = (
    _MINUS_INFINITY,
    Model("", {"block": blocking.as_given(blocking.filled(-1e9))}, "-1e9, additive masks added"),
    Model("", {"block": blocking.as_given(blocking.added(-1e9))}, "-1e9 added"),
    Model("", {"block": blocking.filled(-1e9)}, "-1e9 for every mask"),
    Model("", {"block": blocking.as_given(blocking.filled(-INFINITE))}, "-inf, additive added"),
    Model("", {"block": blocking.as_given(blocking.filled(LOWEST))}, "the dtype's minimum"),
    Model("", {"after": blocking.empty_rows_zeroed}, "-inf, rows that see nothing are 0"),
    *(
        Model(
            "",
            {"gelu": feeding.activated_by(gelu)},
            f"GELU, {form}",
            tags=frozenset({form}),
        )
        for form, gelu in feeding.FORMS.items()
    ),
    Model(
        "",
        {"block": blocking.unmasked(), "after": blocking.renormalised_after()},
        "zeroed and renormalised",
        paired=False,
    ),
)
