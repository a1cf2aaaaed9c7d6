from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from faulty_attention import ATTENTIONS

from attnpack.look.model.attention import Projections, attention_weights, reference
from attnpack.look.model.recover import RECOVERABLE, ZERO, recover

if TYPE_CHECKING:
    from attnpack.look.model.attention import Array
    from attnpack.look.model.host_model import HostModel

LONG = (
    "when mary and john went to the store , john gave a drink to mary . the quick brown fox jumps "
    "over the lazy dog . the animal didn't cross the street because it was too wide ."
)


def first_input(model: HostModel, sentence: str) -> Array:
    ids = np.array([model.tokenizer.start.id, *model.tokenizer.encode(sentence)])
    return model.attention_input(model.embed(ids[None]), 0)[0]


@pytest.mark.parametrize("sentence", ["the", "the cat sat on the mat", LONG, "the " * 63])
def test_recovered_weights_are_the_weights(model: HostModel, sentence: str) -> None:
    x = first_input(model, sentence)
    found = recover(reference(4), x, model.layers[0], 4)
    np.testing.assert_allclose(found.weights, attention_weights(x, model.layers[0], 4), atol=1e-10)
    assert found.residue < 1e-9


def test_single_precision_hides_nothing_and_invents_nothing(model: HostModel) -> None:
    def single(x: Array, layer: Projections) -> Array:
        matrices = (layer.W_q, layer.W_k, layer.W_v, layer.W_o)
        return reference(4)(
            x.astype(np.float32), Projections(*(W.astype(np.float32) for W in matrices))
        )

    x = first_input(model, LONG)
    found = recover(single, x, model.layers[0], 4)
    assert np.abs(np.triu(found.weights, k=1)).max() < ZERO
    assert found.residue < RECOVERABLE


def test_a_leak_is_recovered_as_it_is(model: HostModel) -> None:
    x = first_input(model, "the cat sat on the mat")
    found = recover(ATTENTIONS["unmasked"], x, model.layers[0], 4)
    assert np.triu(found.weights, k=1).max() > 0.5
    assert found.residue < RECOVERABLE


def test_output_that_is_not_weights_times_values_is_told_by_its_residue(model: HostModel) -> None:
    x = first_input(model, "the cat sat on the mat")
    found = recover(ATTENTIONS["merged by reshape"], x, model.layers[0], 4)
    assert found.residue > RECOVERABLE


def test_looking_leaves_the_output_as_it_is(model: HostModel) -> None:
    x = first_input(model, "the cat sat on the mat")
    found = recover(ATTENTIONS["unscaled"], x, model.layers[0], 4)
    expected = ATTENTIONS["unscaled"](x[None], model.layers[0])[0]
    np.testing.assert_array_equal(found.output, expected)
