"""The facts that a guest may state, each with the form it must have (docs/protocol.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attnpack.guest.protocol import MAX_NDIM, ProtocolError

if TYPE_CHECKING:
    from collections.abc import Callable


MOST_LINES = 1 << 24


def known(stated: dict[str, Any]) -> dict[str, Any]:
    """The facts the host knows; others are dropped. Raises ProtocolError where one is misformed."""
    kept = {name: value for name, value in stated.items() if name in _FORMS}
    for name, value in kept.items():
        if not _FORMS[name](value):
            raise ProtocolError(f"the fact {name!r} does not have its form")
    return kept


def is_line(value: object) -> bool:
    """A line of a file, counted from 1; 0 where there is none."""
    return type(value) is int and 0 <= value < MOST_LINES


def _is_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_groups(value: object) -> bool:
    return isinstance(value, list) and all(_is_names(item) for item in value)


def _is_shape(value: object) -> bool:
    if not isinstance(value, list) or len(value) > MAX_NDIM:
        return False
    return all(type(size) is int and size >= 0 for size in value)


def _is_shapes(value: object) -> bool:
    return isinstance(value, dict) and all(_is_shape(item) for item in value.values())


def _is_list_of_shapes(value: object) -> bool:
    return isinstance(value, list) and all(_is_shape(item) for item in value)


def _is_place(value: object) -> bool:
    if not (isinstance(value, list) and len(value) == 2):
        return False
    return isinstance(value[0], str) and is_line(value[1])


def _is_places(value: object) -> bool:
    return isinstance(value, list) and all(_is_place(item) for item in value)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


_FORMS: dict[str, Callable[[object], bool]] = {
    # of a built object
    "matrices": _is_shapes,
    "biases": _is_names,
    "missing": _is_names,
    "same": _is_groups,
    "module": _is_flag,
    "parameters": _is_names,
    "buffers": _is_names,
    "plain_tensors": _is_names,
    "bare": _is_names,
    # of filling it
    "filled": _is_names,
    "assigned": _is_names,
    "absent": _is_names,
    "refused": _is_names,
    # of a call
    "called": _is_names,
    "called_at": _is_place,
    "library": _is_names,
    "library_at": _is_place,
    "library_norm": _is_names,
    "library_norm_at": _is_place,
    "implicit_dim": _is_names,
    "implicit_dim_at": _is_place,
    "dropout": _is_names,
    "dropout_at": _is_place,
    "dropout_on_masked": _is_names,
    "dropout_on_masked_at": _is_place,
    "detached": _is_names,
    "detached_at": _is_place,
    "in_place": _is_names,
    "in_place_at": _is_places,
    "random": _is_names,
    "random_at": _is_place,
    "random_shapes": _is_list_of_shapes,
    # of an exception: a ValueError or AssertionError, or a kind of one, meant as such
    "refusal": _is_flag,
    # of an answer that did not fit its frame
    "cut": _is_flag,
}
