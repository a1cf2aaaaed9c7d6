"""Training of the shipped model. torch is needed here and nowhere else in `look`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from attnpack.look.model.host_model import EPSILON

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from attnpack.look.model.recipe import Recipe
    from attnpack.look.model.tokenizer import Tokenizer

Ids = NDArray[np.int64]
REPORT_EVERY = 500
HELD_OUT = 50
"""one document in so many is kept for validation"""
VALIDATION_BATCHES = 20
FIRST_ORDINARY = 2
"""ids below are the start mark and the foreign mark"""


@dataclass(frozen=True)
class Progress:
    """What training says of itself now and then."""

    step: int
    loss: float
    validation: float
    """cross-entropy on held-out documents, nats per token"""


class Block(nn.Module):
    """Pre-norm attention and feed-forward, each added to the stream; named as `tiny_gpt` has it."""

    def __init__(self, recipe: Recipe) -> None:
        super().__init__()
        width, hidden = recipe.d_model, recipe.d_hidden
        self.num_heads = recipe.num_heads
        self.gain_1, self.bias_1 = _ones(width), _zeros(width)
        self.W_q = _normal(width, width, std=width**-0.5)
        self.W_k = _normal(width, width, std=width**-0.5)
        self.W_v = _normal(width, width, std=width**-0.5)
        self.W_o = _normal(width, width, std=width**-0.5 / 2)
        self.gain_2, self.bias_2 = _ones(width), _zeros(width)
        self.W_1, self.b_1 = _normal(width, hidden, std=width**-0.5), _zeros(hidden)
        self.W_2, self.b_2 = _normal(hidden, width, std=hidden**-0.5 / 2), _zeros(width)

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, D) to (B, T, D)."""
        x = x + self.attention(_normalised(x, self.gain_1, self.bias_1))  # (B, T, D)
        normalised = _normalised(x, self.gain_2, self.bias_2)  # (B, T, D)
        hidden = functional.gelu(normalised @ self.W_1 + self.b_1, approximate="tanh")  # (B, T, F)
        return x + hidden @ self.W_2 + self.b_2  # (B, T, D)

    def attention(self, x: Tensor) -> Tensor:
        """Causal multi-head attention: (B, T, D) to (B, T, D)."""
        Q = self._split(x @ self.W_q)  # (B, h, T, d_k)
        K = self._split(x @ self.W_k)  # (B, h, T, d_k)
        V = self._split(x @ self.W_v)  # (B, h, T, d_k)
        attended = functional.scaled_dot_product_attention(Q, K, V, is_causal=True)
        joined = attended.transpose(1, 2).flatten(2)  # (B, T, D)
        return joined @ self.W_o  # (B, T, D)

    def _split(self, x: Tensor) -> Tensor:
        batch, length, width = x.shape
        shape = (batch, length, self.num_heads, width // self.num_heads)
        return x.reshape(shape).transpose(1, 2)  # (B, h, T, d_k)


class LanguageModel(nn.Module):
    """Learned positions, `num_layers` blocks, a last norm, tied embeddings."""

    def __init__(self, recipe: Recipe) -> None:
        super().__init__()
        self.tokens = _normal(recipe.vocabulary, recipe.d_model, std=0.02)
        self.positions = _normal(recipe.context, recipe.d_model, std=0.02)
        self.blocks = nn.ModuleList(Block(recipe) for _ in range(recipe.num_layers))
        self.gain, self.bias = _ones(recipe.d_model), _zeros(recipe.d_model)

    def forward(self, ids: Tensor) -> Tensor:
        """Token ids (B, T) to logits (B, T, vocabulary)."""
        x = self.tokens[ids] + self.positions[: ids.shape[1]]  # (B, T, D)
        for block in self.blocks:
            x = block(x)  # (B, T, D)
        return _normalised(x, self.gain, self.bias) @ self.tokens.T  # (B, T, vocabulary)

    def weights(self) -> dict[str, NDArray[np.float16]]:
        """The parameters as they are shipped: `tiny_gpt`'s names, blocks by number."""
        return {
            name: parameter.detach().numpy().astype(np.float16)
            for name, parameter in self.named_parameters()
        }


def train(
    recipe: Recipe,
    tokenizer: Tokenizer,
    documents: Sequence[str],
    report: Callable[[Progress], None],
) -> LanguageModel:
    """Train on one thread, deterministically: the same machine makes the same weights."""
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    torch.manual_seed(recipe.seed)
    rng = np.random.default_rng(recipe.seed)
    kept = len(documents) // HELD_OUT
    validation, training = (
        _packed(tokenizer, part) for part in (documents[:kept], documents[kept:])
    )
    model = LanguageModel(recipe)
    optimizer = _optimizer(model, recipe)
    for step in range(1, recipe.steps + 1):
        for group in optimizer.param_groups:
            group["lr"] = _learning_rate(recipe, step)
        loss = _loss(model, *batch(recipe, training, rng))
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(model.parameters(), recipe.clip)
        optimizer.step()
        if step % REPORT_EVERY == 0 or step == recipe.steps:
            report(Progress(step, loss.item(), validation_loss(model, recipe, validation)))
    return model


@torch.no_grad()
def validation_loss(model: LanguageModel, recipe: Recipe, held_out: Ids) -> float:
    """Nats per token on windows of held-out documents."""
    rng = np.random.default_rng(recipe.seed + 1)
    losses = []
    for _ in range(VALIDATION_BATCHES):
        windows = torch.from_numpy(_windows(recipe, held_out, recipe.batch, rng))
        losses.append(_loss(model, windows, torch.ones_like(windows[:, 1:])).item())
    return float(np.mean(losses))


def _normal(*shape: int, std: float) -> nn.Parameter:
    return nn.Parameter(torch.randn(shape) * std)


def _ones(width: int) -> nn.Parameter:
    return nn.Parameter(torch.ones(width))


def _zeros(width: int) -> nn.Parameter:
    return nn.Parameter(torch.zeros(width))


def _normalised(x: Tensor, gain: Tensor, bias: Tensor) -> Tensor:
    return functional.layer_norm(x, gain.shape, gain, bias, EPSILON)


def _packed(tokenizer: Tokenizer, documents: Sequence[str]) -> Ids:
    def ids() -> Iterator[int]:
        for text in documents:
            yield tokenizer.start.id
            yield from tokenizer.encode(text)

    return np.fromiter(ids(), dtype=np.int64)


def _optimizer(model: LanguageModel, recipe: Recipe) -> torch.optim.AdamW:
    matrices = [p for p in model.parameters() if p.dim() == 2]
    vectors = [p for p in model.parameters() if p.dim() == 1]
    groups = [
        {"params": matrices, "weight_decay": recipe.weight_decay},
        {"params": vectors, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=recipe.learning_rate, betas=(0.9, 0.98))


def _learning_rate(recipe: Recipe, step: int) -> float:
    warm = min(1.0, step / recipe.warm_up)
    cosine = (1 + math.cos(math.pi * min(1.0, step / recipe.planned))) / 2
    return recipe.learning_rate * warm * (recipe.final_rate + (1 - recipe.final_rate) * cosine)


def _windows(recipe: Recipe, text: Ids, number: int, rng: np.random.Generator) -> Ids:
    starts = rng.integers(0, len(text) - recipe.context - 1, number)
    return np.stack([text[s : s + recipe.context + 1] for s in starts])  # (B, T + 1)


def batch(recipe: Recipe, text: Ids, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Windows of text, and which positions count; the first rows are repeated random ids.

    Those make induction heads: nothing but an earlier occurrence tells what comes next. Their
    first period cannot be known and counts for nothing.
    """
    windows = _windows(recipe, text, recipe.batch, rng)  # (B, T + 1)
    counts = np.ones((recipe.batch, recipe.context), dtype=np.float32)  # (B, T)
    for row in range(round(recipe.batch * recipe.repeated)):
        period = int(rng.integers(4, recipe.context // 2 + 1))
        ids = rng.integers(FIRST_ORDINARY, recipe.vocabulary, period)  # (period,)
        windows[row] = np.resize(ids, recipe.context + 1)
        counts[row, : period - 1] = 0
    return torch.from_numpy(windows), torch.from_numpy(counts)


def _loss(model: LanguageModel, windows: Tensor, counts: Tensor) -> Tensor:
    logits = model(windows[:, :-1])  # (B, T, vocabulary)
    losses = functional.cross_entropy(
        logits.flatten(0, 1), windows[:, 1:].flatten(), reduction="none"
    )
    weight = counts.flatten()  # (B T,)
    return (losses * weight).sum() / weight.sum()
