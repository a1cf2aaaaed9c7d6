"""The stages of this pack, in the order they run. How each is judged is in the module of its name.

A new stage stands here in its place, has a module with its `judge`, and is named in
`judging.JUDGES`.
"""

from __future__ import annotations

from attnpack.terms import Backend, Stage

SHAPES = Stage("shapes", worth=0.0)
"""worth nothing of its own: any array of the right shape passes it"""
STATISTICS = Stage("statistics", heading="statis-\ntics")
ROW_SUMS = Stage("row_sums", label="row sums", heading="row\nsums")
MASK = Stage("mask")
SCALING = Stage("scaling")
CAUSAL = Stage("causal")
VALUES = Stage("values")
GRADIENTS = Stage("gradients", heading="gradi-\nents", backends=(Backend.TORCH, Backend.VALUE))

STAGES = (SHAPES, STATISTICS, ROW_SUMS, MASK, SCALING, CAUSAL, VALUES, GRADIENTS)
