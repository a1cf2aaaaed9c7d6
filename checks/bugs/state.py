"""Bugs of what stays: inputs changed, answers kept, parameters that are none."""

from __future__ import annotations

from .entry import Entry

BUGS = (
    Entry("input-mutated", equals=("mask-argument-overwritten",)),
    Entry(
        "state-between-calls",
        equals=("dropout-in-eval", "layer-made-in-forward"),
    ),
    Entry("dropout-in-eval", equals=("state-between-calls",)),
    Entry("dropout-before-softmax"),
    Entry("layer-made-in-forward", equals=("state-between-calls",)),
    Entry("parameters-unregistered", equals=("parameters-plain",)),
    Entry("parameters-plain", equals=("parameters-unregistered",)),
    Entry("super-missing"),
    Entry("mask-not-a-buffer"),
)
