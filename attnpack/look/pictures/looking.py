"""A sentence through the model, with every attention's weights read off: the picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from attnpack.errors import BadInputError
from attnpack.look.model.attention import attention_weights
from attnpack.look.model.recover import recover
from attnpack.look.pictures.picture import Picture

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.look.model.attention import Attention
    from attnpack.look.model.host_model import HostModel
    from attnpack.look.model.tokenizer import Token


def tokens_of(model: HostModel, sentence: str, limit: int | None = None) -> list[Token]:
    """The start mark and the sentence's tokens. Raises BadInputError for none, or too many."""
    spoken = model.tokenizer.tokens(sentence)
    longest = (limit or model.recipe.context) - 1
    if not spoken:
        raise BadInputError(
            "The sentence is empty, so there is nothing to look at. "
            'Give some words, for example "the cat sat on the mat".'
        )
    if len(spoken) > longest:
        fits = model.tokenizer.decode(token.id for token in spoken[:longest])
        why = "is all the model can see" if limit is None else "is the limit of the value track"
        raise BadInputError(
            f"The sentence has {len(spoken)} tokens, and {longest} {why}. "
            f"It fits up to here: {fits}"
        )
    return [model.tokenizer.start, *spoken]


def look(model: HostModel, tokens: Sequence[Token], attention: Attention, source: str) -> Picture:
    """The weights that an attention uses in every layer, on what it made of the layers before."""
    ids = np.array([token.id for token in tokens])
    heads = model.recipe.num_heads
    stream = model.embed(ids[None])[0]  # (T, D)
    recovered, right = [], []
    with np.errstate(all="ignore"):
        for number, layer in enumerate(model.layers):
            x = model.attention_input(stream, number)  # (T, D)
            recovered.append(recover(attention, x, layer, heads))
            right.append(attention_weights(x, layer, heads))  # (h, T, T)
            stream = model.after(stream, recovered[-1].output, number)  # (T, D)
    return Picture(
        source=source,
        tokens=tuple(token.text for token in tokens),
        weights=np.stack([layer.weights for layer in recovered]),
        reference=np.stack(right),
        heads=model.heads,
        residues=tuple(layer.residue for layer in recovered),
    )
