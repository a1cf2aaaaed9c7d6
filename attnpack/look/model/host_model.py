"""The small trained transformer, run by numpy. Its attention is whatever the caller gives.

The weights, the vocabulary and what is known of them lie in `attnpack/look/model/`.
"""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import dataclass
from functools import cache, partial
from importlib.resources import files
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from attnpack.errors import OwnFaultError
from attnpack.look.model.attention import Array, Attention, Projections
from attnpack.look.model.recipe import Recipe
from attnpack.look.model.tokenizer import Tokenizer

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.resources.abc import Traversable

Predict: TypeAlias = "Callable[[Array], Array]"
"""token ids (B, T) to logits (B, T, vocabulary): a whole model, whoever wrote its parts"""
Weights: TypeAlias = dict[str, Any]
"""of a block, as `transformer_block` takes them"""
EPSILON = 1e-5
"""of the layer norm"""
ATTENTION = ("W_q", "W_k", "W_v", "W_o")
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
    """A whole GPT: embeddings, pre-norm blocks, a last norm, tied output."""

    recipe: Recipe
    tokenizer: Tokenizer
    heads: tuple[Head, ...]
    weights: dict[str, Any]
    """as `tiny_gpt` takes them: tokens (V, D), positions (C, D), blocks, gain and bias (D,)"""
    layers: tuple[Projections, ...]
    """the four matrices of each block's attention"""
    story_loss: float
    """nats per token on held-out stories under right attention, as measured when it was made"""

    @property
    def blocks(self) -> list[Weights]:
        """The weights of each block, in order."""
        return self.weights["blocks"]  # type: ignore[no-any-return]

    def embed(self, ids: Array) -> Array:
        """Token ids (B, T) to the residual stream (B, T, D)."""
        embedded: Array = self.weights["tokens"][ids]  # (B, T, D)
        placed: Array = embedded + self.weights["positions"][: ids.shape[-1]]  # (B, T, D)
        return placed

    def attention_input(self, stream: Array, layer: int) -> Array:
        """What a block's attention gets: the stream, normalised."""
        block = self.blocks[layer]
        return _normalised(stream) * block["gain_1"] + block["bias_1"]  # type: ignore[no-any-return]

    def after(self, stream: Array, attended: Array, layer: int) -> Array:
        """The stream after a block whose attention gave `attended`, all (B, T, D)."""
        with np.errstate(all="ignore"):
            x = stream + attended  # (B, T, D)
            return x + self.fed_forward(x, layer, gelu_tanh)

    def fed_forward(self, stream: Array, layer: int, gelu: Callable[[Array], Array]) -> Array:
        """What a block's feed-forward adds to a stream, both (B, T, D)."""
        block = self.blocks[layer]
        normalised = _normalised(stream) * block["gain_2"] + block["bias_2"]  # (B, T, D)
        hidden = gelu(normalised @ block["W_1"] + block["b_1"])  # (B, T, F)
        return hidden @ block["W_2"] + block["b_2"]  # type: ignore[no-any-return]

    def unembed(self, stream: Array) -> Array:
        """The residual stream (..., D) to logits (..., vocabulary)."""
        with np.errstate(all="ignore"):
            normalised = _normalised(stream) * self.weights["gain"] + self.weights["bias"]
            return normalised @ self.weights["tokens"].T  # type: ignore[no-any-return]

    def logits(self, ids: Array, attention: Attention) -> Array:
        """Token ids (B, T) to logits (B, T, vocabulary) through someone's attention."""
        return self.unembed(self.stream(ids, attention))

    def through(self, attention: Attention) -> Predict:
        """The model with someone's attention in it."""
        return partial(self.logits, attention=attention)

    def stream(self, ids: Array, attention: Attention) -> Array:
        """The residual stream (B, T, D) after the last block."""
        x = self.embed(ids)  # (B, T, D)
        with np.errstate(all="ignore"):
            for number, layer in enumerate(self.layers):
                attended = attention(self.attention_input(x, number), layer)  # (B, T, D)
                x = self.after(x, attended, number)  # (B, T, D)
        return x

    def loss(self, ids: Array, attention: Attention) -> float:
        """Cross-entropy of each next token in (B, T) ids, mean, in nats."""
        return loss(self.through(attention), ids)


def loss(predict: Predict, ids: Array) -> float:
    """Cross-entropy of each next token in (B, T) ids, mean, in nats."""
    return cross_entropy(predict(ids[:, :-1]), ids[:, 1:])


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
    blocks = [_block(arrays, number) for number in range(recipe.num_layers)]
    ends = {name: arrays[name] for name in ("tokens", "positions", "gain", "bias")}
    layers = tuple(matrices(block) for block in blocks)
    weights = {**ends, "blocks": blocks}
    return HostModel(recipe, tokenizer, heads, weights, layers, story_loss)


def without_feed_forward(weights: Weights) -> Weights:
    """A block's weights with those of the feed-forward's last step 0, so that it adds nothing."""
    silent = {name: np.zeros_like(weights[name]) for name in ("W_2", "b_2")}
    return {**weights, **silent}


def matrices(weights: Weights) -> Projections:
    """The four of a block's attention."""
    return Projections(*(weights[name] for name in ATTENTION))


def _block(arrays: dict[str, Array], number: int) -> dict[str, Array]:
    """One block's arrays by the names that `transformer_block` takes."""
    prefix = f"blocks.{number}."
    named = arrays.items()
    return {name.removeprefix(prefix): a for name, a in named if name.startswith(prefix)}


def gelu_erf(z: Array) -> Array:
    """z times the normal distribution function of z, as it is defined."""
    erf = np.array([math.erf(v) for v in (z / math.sqrt(2.0)).flat]).reshape(z.shape)  # (..., F)
    return 0.5 * z * (1.0 + erf)


def gelu_tanh(z: Array) -> Array:
    """The same approximated with tanh, as the model was trained."""
    inner = math.sqrt(2.0 / math.pi) * (z + 0.044715 * z**3)  # (..., F)
    return 0.5 * z * (1.0 + np.tanh(inner))


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
