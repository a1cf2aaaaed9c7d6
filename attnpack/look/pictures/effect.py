"""What code does to the model that it sits in: its loss, and how a text goes on."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from attnpack.look.model.attention import reference
from attnpack.look.model.host_model import cross_entropy, loss
from attnpack.look.pictures.picture import Effect
from attnpack.look.texts import grammar
from attnpack.look.texts.sampling import Sampling
from attnpack.look.texts.writing import agreed, write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.look.model.attention import Array
    from attnpack.look.model.host_model import HostModel, Predict

HELD_OUT_SEED = 20_240_601
"""of stories that training never told"""
HELD_OUT_ROWS = 4
CONTINUATION = 8
"""words that a picture shows of how the text goes on"""
_GREEDY = Sampling()


@dataclass(frozen=True)
class Losses:
    """Nats per token on held-out stories, at the same places, seen in two ways."""

    whole: float
    """with the whole text in view, as training does it"""
    word_by_word: float
    """with nothing after the word in view, as writing has it; equal for causal attention"""


def held_out(model: HostModel) -> Array:
    """Fresh stories as ids (rows, context)."""
    length = model.recipe.context
    ids: list[int] = []
    for story in grammar.shipped().stories(HELD_OUT_ROWS * length, HELD_OUT_SEED):
        ids += [model.tokenizer.start.id, *model.tokenizer.encode(story)]
    return np.array(ids[: HELD_OUT_ROWS * length]).reshape(HELD_OUT_ROWS, length)


def effect(model: HostModel, predict: Predict, ids: Sequence[int], *, looks_ahead: bool) -> Effect:
    """Loss and continuation of someone's model beside the reference's."""
    right = model.through(reference(model.recipe.num_heads))
    number = min(CONTINUATION, model.recipe.context - len(ids))
    expected = list(islice(write(model, right, ids, _GREEDY), number))
    same = [] if looks_ahead or not number else agreed(model, predict, ids, expected)
    rest = write(model, predict, ids, _GREEDY, begun=same)
    return Effect(
        loss=loss(predict, held_out(model)),
        reference_loss=model.story_loss,
        continuation=model.tokenizer.decode([*same, *islice(rest, number - len(same))]),
        reference_continuation=model.tokenizer.decode(expected),
    )


def losses(model: HostModel, predict: Predict, places: Sequence[int]) -> Losses:
    """Both losses, over the words at some places of every held-out row."""
    stories = held_out(model)
    chosen = np.array(places)
    whole = predict(stories)[:, chosen - 1]  # (B, n, V)
    alone = np.stack([predict(stories[:, :place])[:, -1] for place in places], axis=1)  # (B, n, V)
    targets = stories[:, chosen]  # (B, n)
    return Losses(cross_entropy(whole, targets), cross_entropy(alone, targets))
