"""Fresh random numbers with the properties that probes need.

Scores can be designed: `with_scores` finds queries and keys whose scaled scores are a given
table, so that rows lie far apart, are all very negative, or reach ±1e4, without the arrays
looking like anything a learner could recognise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from attnpack.terms import Backend

from .projections import BIASES, MATRICES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .steps.recorded import Array


Item = TypeVar("Item")


@dataclass(frozen=True)
class Draw:
    """A seeded source of arrays for one exercise."""

    rng: np.random.Generator
    backend: Backend

    @property
    def stacked(self) -> bool:
        """Whether the backend knows leading axes."""
        return self.backend is not Backend.VALUE

    @property
    def precision(self) -> str:
        """What class inputs are lifted to: torch modules run as constructed."""
        return "float32" if self.backend is Backend.TORCH else "float64"

    def with_stacks(self, flat: Sequence[Item], stacked: Sequence[Item]) -> list[Item]:
        """Both, or the first alone where arrays have no leading axes."""
        return [*flat, *(stacked if self.stacked else ())]

    def different(self, count: int, low: int = 2, high: int = 7) -> list[int]:
        """So many sizes from low to high, rising, no two alike."""
        drawn = self.rng.choice(np.arange(low, high + 1), size=count, replace=False)
        return [int(size) for size in np.sort(drawn)]

    def size(self, low: int, high: int) -> int:
        """One size from low to high."""
        return int(self.rng.integers(low, high + 1))

    def normal(self, *shape: int) -> Array:
        """Standard normal numbers."""
        return self.rng.standard_normal(shape)

    def integers(self, *shape: int, high: int = 4) -> Array:
        """Integers from -high to high."""
        return self.rng.integers(-high, high + 1, size=shape)

    def orthonormal(self, rows: int, columns: int) -> Array:
        """(rows, columns) with orthonormal rows; rows <= columns."""
        square, _ = np.linalg.qr(self.normal(columns, columns))
        return np.ascontiguousarray(square[:rows])

    def weights(self, *shape: int) -> Array:
        """Rows that are distributions."""
        positive = self.rng.uniform(0.1, 1.0, size=shape)
        rows: Array = positive / positive.sum(axis=-1, keepdims=True)
        return rows

    def with_scores(self, scores: Array, d_k: int) -> tuple[Array, Array]:
        """Q (..., T_q, d_k) and K (..., T_k, d_k) with Q Kᵀ / sqrt(d_k) = scores; T_k <= d_k."""
        basis = self.orthonormal(scores.shape[-1], d_k)  # (T_k, d_k)
        queries = scores @ basis  # (..., T_q, d_k)
        keys = np.broadcast_to(np.sqrt(d_k) * basis, (*scores.shape[:-2], *basis.shape))
        return queries, keys.copy()

    def matrices(self, width: int) -> dict[str, Array]:
        """W_q, W_k, W_v, W_o (D, D) and, for torch layers that have them, biases (D,)."""
        drawn = {name: self.normal(width, width) / np.sqrt(width) for name in MATRICES}
        if self.backend is Backend.TORCH:
            drawn |= {name: 0.5 * self.normal(width) for name in BIASES}
        return drawn

    def without_biases(self, matrices: Mapping[str, Array]) -> dict[str, Array]:
        """The same with every bias zero, for designed numbers."""
        return {n: a if n in MATRICES else np.zeros_like(a) for n, a in matrices.items()}

    def tokens(self, length: int, width: int) -> Array:
        """x (T, D) with orthogonal rows of length sqrt(D): perfectly conditioned; T <= D."""
        rows: Array = np.sqrt(width) * self.orthonormal(length, width)
        return rows

    def matrices_with_scores(self, x: Array, scores: Array) -> dict[str, Array]:
        """Matrices whose head i scores x (T, D) as scores[i] (h, T, T); T <= d_k."""
        heads, length, _ = scores.shape
        width = x.shape[-1]
        d_k = width // heads
        inverse = np.linalg.pinv(x)  # (D, T)
        drawn = self.without_biases(self.matrices(width))
        queries, keys = [], []
        for head in range(heads):
            wanted_q, wanted_k = self.with_scores(scores[head], d_k)  # (T, d_k)
            queries.append(inverse @ wanted_q)  # (D, d_k)
            keys.append(inverse @ wanted_k)  # (D, d_k)
        assert length <= d_k
        drawn["W_q"] = np.concatenate(queries, axis=1)  # (D, D)
        drawn["W_k"] = np.concatenate(keys, axis=1)  # (D, D)
        return drawn
