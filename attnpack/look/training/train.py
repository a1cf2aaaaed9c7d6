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


class CausalAttention(nn.Module):
    """Multi-head attention with four (D, D) matrices used as `x @ W`, without bias."""

    def __init__(self, recipe: Recipe) -> None:
        super().__init__()
        self.num_heads = recipe.num_heads
        std = recipe.d_model**-0.5
        self.W_q = _normal(recipe.d_model, recipe.d_model, std=std)
        self.W_k = _normal(recipe.d_model, recipe.d_model, std=std)
        self.W_v = _normal(recipe.d_model, recipe.d_model, std=std)
        self.W_o = _normal(recipe.d_model, recipe.d_model, std=std / 2)

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, D) to (B, T, D)."""
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


class Layer(nn.Module):
    """Pre-norm attention and the residual path; no MLP."""

    def __init__(self, recipe: Recipe) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(recipe.d_model, bias=False)
        self.attention = CausalAttention(recipe)

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, D) to (B, T, D)."""
        attended: Tensor = self.attention(self.norm(x))
        return x + attended


class LanguageModel(nn.Module):
    """Learned positions, `num_layers` attention layers, tied embeddings."""

    def __init__(self, recipe: Recipe) -> None:
        super().__init__()
        self.embedding = _normal(recipe.vocabulary, recipe.d_model, std=0.02)
        self.position = _normal(recipe.context, recipe.d_model, std=0.02)
        self.layers = nn.ModuleList(Layer(recipe) for _ in range(recipe.num_layers))
        self.norm = nn.LayerNorm(recipe.d_model, bias=False)

    def forward(self, ids: Tensor) -> Tensor:
        """Token ids (B, T) to logits (B, T, vocabulary)."""
        x = self.embedding[ids] + self.position[: ids.shape[1]]  # (B, T, D)
        for layer in self.layers:
            x = layer(x)  # (B, T, D)
        normalised: Tensor = self.norm(x)  # (B, T, D)
        return normalised @ self.embedding.T  # (B, T, vocabulary)

    def weights(self) -> dict[str, NDArray[np.float16]]:
        """The parameters as they are shipped, named as `HostModel` reads them."""
        return {
            name.replace("layers.", "layer_").replace("attention.", ""): parameter.detach()
            .numpy()
            .astype(np.float16)
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
        loss = _loss(model, *_batch(recipe, training, rng))
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


def _packed(tokenizer: Tokenizer, documents: Sequence[str]) -> Ids:
    def ids() -> Iterator[int]:
        for text in documents:
            yield tokenizer.start.id
            yield from tokenizer.encode(text)

    return np.fromiter(ids(), dtype=np.int64)


def _optimizer(model: LanguageModel, recipe: Recipe) -> torch.optim.AdamW:
    matrices = [p for p in model.parameters() if p.dim() == 2]
    gains = [p for p in model.parameters() if p.dim() == 1]
    groups = [
        {"params": matrices, "weight_decay": recipe.weight_decay},
        {"params": gains, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=recipe.learning_rate, betas=(0.9, 0.98))


def _learning_rate(recipe: Recipe, step: int) -> float:
    warm = min(1.0, step / recipe.warm_up)
    cosine = (1 + math.cos(math.pi * step / recipe.steps)) / 2
    return recipe.learning_rate * warm * (recipe.final_rate + (1 - recipe.final_rate) * cosine)


def _windows(recipe: Recipe, text: Ids, number: int, rng: np.random.Generator) -> Ids:
    starts = rng.integers(0, len(text) - recipe.context - 1, number)
    return np.stack([text[s : s + recipe.context + 1] for s in starts])  # (B, T + 1)


def _batch(recipe: Recipe, text: Ids, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Windows of text, and which positions count; the first rows are repeated random ids.

    Those make induction heads: nothing but an earlier occurrence tells what comes next. Their
    first period cannot be known and counts for nothing.
    """
    windows = _windows(recipe, text, recipe.batch, rng)  # (B, T + 1)
    counts = np.ones((recipe.batch, recipe.context), dtype=np.float32)  # (B, T)
    for row in range(round(recipe.batch * recipe.repeated)):
        period = int(rng.integers(4, recipe.context // 2 + 1))
        ids = rng.integers(FIRST_ORDINARY, recipe.vocabulary, period)
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
