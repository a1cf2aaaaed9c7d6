"""The small trained transformer, run by numpy. Its attention is whatever the caller gives.

The weights, the vocabulary and what is known of them lie in `attnpack/look/model/`.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from attnpack.errors import OwnFaultError
from attnpack.look.model.attention import Array, Attention, Projections
from attnpack.look.model.recipe import Recipe
from attnpack.look.model.tokenizer import Tokenizer

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

EPSILON = 1e-5
"""of the layer norm"""
WEIGHTS = "weights.npz"
VOCABULARY = "vocabulary.txt"
RECIPE = "recipe.json"
HEADS = "heads.json"
SUMS = "SHA256SUMS"


@dataclass(frozen=True)
class Head:
    """One head of the shipped model and what it does, measured with the reference's attention."""

    layer: int
    head: int
    scores: dict[str, float]
    """mean weight on: the previous token, the token after the last occurrence, ... (`heads`)"""

    @property
    def name(self) -> str:
        """As pictures title it: L1H2. Layers and heads count from 0."""
        return f"L{self.layer}H{self.head}"

    @property
    def character(self) -> tuple[str, float]:
        """The kind of head that it is most, and how much: ("induction", 0.93)."""
        kind = max(self.scores, key=lambda k: self.scores[k])
        return kind, self.scores[kind]


@dataclass(frozen=True)
class HostModel:
    """Embeddings, layers of attention alone, pre-norm, tied output."""

    recipe: Recipe
    tokenizer: Tokenizer
    heads: tuple[Head, ...]
    embedding: Array
    """(vocabulary, D)"""
    position: Array
    """(context, D)"""
    layers: tuple[Projections, ...]
    gains: tuple[Array, ...]
    """(D,) of the norm before each layer, and of the last norm"""
    story_loss: float
    """nats per token on held-out stories under right attention, as measured when it was made"""

    def embed(self, ids: Array) -> Array:
        """Token ids (B, T) to the residual stream (B, T, D)."""
        return self.embedding[ids] + self.position[: ids.shape[-1]]

    def attention_input(self, stream: Array, layer: int) -> Array:
        """What a layer's attention gets: the stream, normalised."""
        return _normalised(stream) * self.gains[layer]

    def unembed(self, stream: Array) -> Array:
        """The residual stream (..., D) to logits (..., vocabulary)."""
        with np.errstate(all="ignore"):
            return _normalised(stream) * self.gains[-1] @ self.embedding.T

    def logits(self, ids: Array, attention: Attention) -> Array:
        """Token ids (B, T) to logits (B, T, vocabulary) through someone's attention."""
        return self.unembed(self.stream(ids, attention))

    def next_logits(self, ids: Array, attention: Attention) -> Array:
        """Token ids (T,) to the logits (vocabulary,) of what comes next."""
        return self.unembed(self.stream(ids[None], attention)[0, -1])

    def stream(self, ids: Array, attention: Attention) -> Array:
        """The residual stream (B, T, D) after the last layer."""
        x = self.embed(ids)  # (B, T, D)
        with np.errstate(all="ignore"):
            for number, layer in enumerate(self.layers):
                x = x + attention(self.attention_input(x, number), layer)  # (B, T, D)
        return x

    def loss(self, ids: Array, attention: Attention) -> float:
        """Cross-entropy of each next token in (B, T) ids, mean, in nats."""
        return cross_entropy(self.logits(ids[:, :-1], attention), ids[:, 1:])


def cross_entropy(logits: Array, targets: Array) -> float:
    """Mean of -log softmax(logits)[target]; inf or nan where the logits are not finite."""
    with np.errstate(all="ignore"):
        shifted = logits - logits.max(axis=-1, keepdims=True)  # (..., V)
        log_sum = np.log(np.exp(shifted).sum(axis=-1))  # (...)
        chosen = np.take_along_axis(shifted, targets[..., None], axis=-1)[..., 0]  # (...)
        return float(np.mean(log_sum - chosen))


@cache
def load() -> HostModel:
    """The shipped model, in float64. Raises OwnFaultError where its files are damaged."""
    return read(files("attnpack.look.model"))


def read(folder: Traversable) -> HostModel:
    """A model out of a folder, its files held against their SHA-256."""
    contents = _verified(folder)
    made = json.loads(contents[RECIPE])
    recipe = Recipe(**made["recipe"])
    heads = tuple(Head(**entry) for entry in json.loads(contents[HEADS])["heads"])
    vocabulary = contents[VOCABULARY].decode("utf-8").split("\n")[:-1]
    return assemble(recipe, Tokenizer(vocabulary), heads, _arrays(folder), made["story_loss"])


def assemble(
    recipe: Recipe,
    tokenizer: Tokenizer,
    heads: tuple[Head, ...],
    arrays: dict[str, Array],
    story_loss: float = math.nan,
) -> HostModel:
    """A model of named arrays, as `train.LanguageModel.weights` names them."""
    layers, gains = [], []
    for number in range(recipe.num_layers):
        matrices = {name: arrays[f"layer_{number}.{name}"] for name in ("W_q", "W_k", "W_v", "W_o")}
        layers.append(Projections(**matrices))
        gains.append(arrays[f"layer_{number}.norm.weight"])
    return HostModel(
        recipe,
        tokenizer,
        heads,
        arrays["embedding"],
        arrays["position"],
        tuple(layers),
        (*gains, arrays["norm.weight"]),
        story_loss,
    )


def _normalised(x: Array) -> Array:
    mean = x.mean(axis=-1, keepdims=True)
    variance = x.var(axis=-1, keepdims=True)
    normalised: Array = (x - mean) / np.sqrt(variance + EPSILON)
    return normalised


def _arrays(folder: Traversable) -> dict[str, Array]:
    with folder.joinpath(WEIGHTS).open("rb") as file, np.load(file, allow_pickle=False) as stored:
        return {name: stored[name].astype(np.float64) for name in stored.files}


def _verified(folder: Traversable) -> dict[str, bytes]:
    """The files of a model by name. Raises OwnFaultError for one that is absent or changed."""
    try:
        sums = folder.joinpath(SUMS).read_text(encoding="ascii")
        named = [line.split("  ") for line in sums.splitlines()]
        contents = {name: folder.joinpath(name).read_bytes() for _, name in named}
    except OSError as error:
        raise OwnFaultError(
            f"The shipped model is incomplete: {error}. Reinstall attnpack."
        ) from error
    for digest, name in named:
        if hashlib.sha256(contents[name]).hexdigest() != digest:
            raise OwnFaultError(f"The shipped model's {name} is damaged. Reinstall attnpack.")
    return contents
