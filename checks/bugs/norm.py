"""Bugs of layer norm."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..steps import norming
from .entry import Entry
from .ways import rare, way

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attnpack.diagnosis.models import Step


def _along(axis: object) -> Mapping[str, Step]:
    return {"average": norming.average_along(axis), "spread": norming.spread_along(axis)}


BUGS = (
    Entry(
        "norm-over-tokens",
        models=(
            way(_along(norming.TOKENS)),
            way(_along(0), "axis 0", rank=1),
            way(_along(1), "axis 1", rank=2),
            rare({"spread": norming.spread_along(norming.TOKENS)}, "the variance only"),
            rare({"average": norming.average_along(norming.TOKENS)}, "the mean only"),
            rare({"spread": norming.spread_along(0)}, "the variance only, axis 0", rank=2),
            rare({"average": norming.average_along(0)}, "the mean only, axis 0", rank=2),
        ),
        equals=("norm-over-everything",),
    ),
    Entry(
        "norm-over-everything",
        models=(
            way(_along(norming.EVERYTHING)),
            way(_along(norming.SAMPLE), "of each sample", rank=1),
            rare({"spread": norming.spread_along(norming.EVERYTHING)}, "the variance only"),
            rare({"average": norming.average_along(norming.EVERYTHING)}, "the mean only"),
        ),
        equals=("norm-over-tokens",),
    ),
    Entry("norm-unbiased-variance", models=(way({"spread": norming.spread_unbiased}),)),
    Entry("norm-eps-outside", models=(way({"root": norming.eps_outside}),)),
    Entry("norm-eps-missing", models=(way({"root": norming.eps_missing}),)),
    Entry(
        "norm-eps-ignored",
        models=tuple(
            way({"root": norming.eps_of_its_own(number)}, f"{number:g}", rank=rank)
            for number, rank in ((1e-5, 0), (1e-6, 0), (1e-8, 0), (1e-12, 1), (1e-3, 1))
        ),
    ),
    Entry(
        "norm-by-variance",
        models=(
            way({"root": norming.no_root}),
            way({"root": norming.no_root_and_no_eps}, "without eps", rank=1),
        ),
    ),
    Entry(
        "norm-mean-kept",
        models=(
            way({"standardise": norming.mean_kept}),
            way({"centre": norming.not_centred}, "the root mean square"),
        ),
    ),
    Entry("norm-gain-missing", models=(way({"stretch": norming.not_stretched}),)),
    Entry("norm-bias-missing", models=(way({"move": norming.not_moved}),)),
    Entry(
        "norm-gain-on-tokens",
        models=(
            way({"stretch": norming.gain_on_tokens}),
            way(
                {"stretch": norming.gain_on_tokens, "move": norming.bias_on_tokens},
                "the bias too",
            ),
            rare({"move": norming.bias_on_tokens}, "the bias only"),
        ),
    ),
    Entry("norm-cancellation"),
)
