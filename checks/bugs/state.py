"""Bugs of what stays: inputs changed, answers kept, parameters that are none."""

from __future__ import annotations

from .entry import Entry
from .where import Value, Where, kept_layers, noted

BUGS = (
    Entry(
        "input-mutated",
        equals=("mask-argument-overwritten",),
        where=Where(value=Value.CHANGED_ARGUMENT),
    ),
    Entry(
        "state-between-calls",
        equals=("dropout-in-eval", "layer-made-in-forward"),
        where=Where(noted("random_at")),
    ),
    Entry(
        "dropout-in-eval",
        equals=("state-between-calls",),
        where=Where(noted("dropout_at")),
    ),
    Entry("dropout-before-softmax", where=Where(noted("dropout_on_masked_at"))),
    Entry(
        "layer-made-in-forward",
        equals=("state-between-calls",),
        where=Where(noted("random_at")),
    ),
    Entry(
        "parameters-unregistered",
        equals=("parameters-plain",),
        where=Where(written=kept_layers, traced=False),
    ),
    Entry(
        "parameters-plain",
        equals=("parameters-unregistered",),
        where=Where(written=kept_layers, traced=False),
    ),
    Entry("super-missing"),
    Entry("mask-not-a-buffer"),
)
