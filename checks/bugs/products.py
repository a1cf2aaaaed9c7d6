"""Bugs of the two products of attention: what is multiplied with what."""

from __future__ import annotations

from ..steps import heads, products, seeing
from .entry import Entry
from .ways import (
    ATTENDS_ON_ANY_AXES,
    GIVEN_KEYS,
    GIVEN_KEYS_AND_VALUES,
    GIVEN_VALUES,
    HEADED,
    RETURNS_SCORES,
    SINGLE_HEAD,
    rare,
    way,
)

BUGS = (
    Entry(
        "weights-transposed",
        models=(
            way({"apply": products.weights_transposed}),
            rare({"apply": products.weights_fully_transposed}, "every axis reversed"),
            rare({"apply": products.values_first}, "V weights", rank=2),
            way({"apply": products.weights_transposed_by_einsum}, "by einsum"),
            rare({"apply": products.dot_of_transposed_weights}, "np.dot of every axis reversed"),
        ),
    ),
    Entry("keys-reshaped", models=(way({"score": products.keys_reshaped}),)),
    Entry(
        "full-transpose",
        models=(
            way({"score": products.full_transpose}),
            rare({"score": products.dot_of_full_transpose}, "np.dot"),
            rare(
                {"apply": products.everything_transposed}, "weights and values", needs=GIVEN_VALUES
            ),
        ),
    ),
    Entry(
        "keys-not-transposed",
        models=(
            rare({"score": products.keys_not_transposed}),
            way({"score": products.first_keys_untransposed}, "the first d_k keys", rank=1),
        ),
    ),
    Entry(
        "scores-elementwise",
        models=(
            rare({"score": products.elementwise}),
            rare({"score": products.elementwise_transposed}, "with Kᵀ"),
            rare({"score": products.elementwise_summed}, "then summed", rank=2),
        ),
    ),
    Entry(
        "queries-keys-swapped",
        models=(
            way({"score": products.swapped}),
            rare({"score": products.queries_squared}, "Q Qᵀ", rank=3, needs=GIVEN_KEYS),
            rare({"score": products.keys_squared}, "K Kᵀ", rank=3, needs=GIVEN_KEYS),
        ),
    ),
    Entry(
        "attention-across-heads",
        needs=HEADED,
        models=(
            way(
                {"split": heads.not_moved, "see": seeing.of_scores, "join": heads.join_not_moved},
                "masked by the scores' own axes",
            ),
            way({"split": heads.not_moved, "join": heads.join_not_moved}, "masked by the length"),
            rare({"split": heads.not_moved, "see": seeing.of_scores}, "joined as if moved"),
            rare({"split": heads.not_moved}, "masked by the length, joined as if moved"),
            rare(
                {"split": heads.not_moved, "see": seeing.never, "join": heads.join_not_moved},
                "not masked",
            ),
        ),
    ),
    Entry(
        "attention-across-batch",
        models=(
            way(
                {
                    "score": products.batch_as_length,
                    "see": seeing.of_scores,
                    "apply": products.batch_as_length_back,
                },
                "axes swapped, masked by the scores' own axes",
                needs=SINGLE_HEAD,
            ),
            rare(
                {"score": products.batch_as_length, "apply": products.batch_as_length_back},
                "axes swapped",
                rank=0,
                needs=ATTENDS_ON_ANY_AXES,
            ),
            rare(
                {
                    "score": products.batch_as_length_of_stacks,
                    "see": seeing.of_scores,
                    "apply": products.batch_as_length_of_stacks_back,
                },
                "axes swapped where there are three",
                needs=SINGLE_HEAD,
            ),
            way({"score": products.scores_between_samples}, "np.dot of stacks"),
            rare({"score": products.scores_of_one_row}, "one long sequence", needs=RETURNS_SCORES),
            way({"apply": products.mixed_between_samples}, "np.dot of stacks"),
            rare(
                {"score": products.samples_in_one_row, "apply": products.samples_in_one_row_back},
                "one long sequence",
                needs=GIVEN_KEYS_AND_VALUES,
            ),
            rare(
                {
                    "score": products.samples_in_one_row,
                    "see": products.see_causal_of_row,
                    "apply": products.samples_in_one_row_back,
                },
                "one long sequence",
                rank=0,
                needs=SINGLE_HEAD,
            ),
            way(
                {
                    "split": heads.batch_for_length,
                    "see": seeing.of_scores,
                    "join": heads.join_batch_for_length,
                },
                "heads over samples",
                needs=HEADED,
            ),
            rare(
                {"split": heads.batch_for_length, "join": heads.join_batch_for_length},
                "heads over samples, masked by the length",
                rank=0,
                needs=HEADED,
            ),
            rare(
                {"split": heads.one_row, "see": seeing.of_scores, "join": heads.join_one_row},
                "one long sequence",
                rank=0,
                needs=HEADED,
            ),
        ),
    ),
)
