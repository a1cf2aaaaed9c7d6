"""The small model: what heatmap and generate cost, and what eight classic bugs do to it.

    python -m bench.model [--rounds N]

Times are medians of wall time, each round measuring everything in turn, and given as ratios
within the run; run it on a machine that does nothing else. The table of bugs is the same anywhere.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from attnpack import pack
from attnpack.look.model import host_model
from attnpack.look.model.attention import join_heads, reference, split_heads
from attnpack.look.pictures import effect
from attnpack.look.pictures.looking import look, tokens_of
from attnpack.look.pictures.picture import leaked_share
from attnpack.look.texts.sampling import Sampling
from attnpack.look.texts.writing import write
from bench.measured import interleaved

if TYPE_CHECKING:
    from collections.abc import Callable

    from attnpack.look.model.attention import Array, Attention, Projections
    from attnpack.look.model.host_model import HostModel

SENTENCE = "the cat sat on the mat"
PROMPT = "the cat sat on the mat ."
TOKENS = 40
PYTHON = sys.executable
PYPLOT = (PYTHON, "-c", "import matplotlib.pyplot")
NUMPY = (PYTHON, "-c", "import numpy")
LOAD = "from attnpack.look.model import host_model; host_model.load()"
CODE = str(pack.ROOT / "reference" / "numpy")
HEATMAP = (PYTHON, "-m", "attnpack", "heatmap", SENTENCE, CODE)
MOST = 2.5
"""of a heatmap, times `import matplotlib.pyplot`"""


def _softmax(scores: Array, axis: int = -1) -> Array:
    shifted = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return shifted / shifted.sum(axis=axis, keepdims=True)  # type: ignore[no-any-return]


def _masked(scores: Array) -> Array:
    return np.where(np.triu(np.ones(scores.shape[-2:], dtype=bool), k=1), -1e9, scores)


@dataclass(frozen=True)
class FaultyAttention:
    """Multi-head attention with each step of it open to a fault."""

    num_heads: int = 4
    scale: Callable[[int, int], float] = lambda d_k, _: d_k**-0.5
    """(d_k, D) to the factor of the scores"""
    mask: Callable[[Array], Array] = _masked
    normalise: Callable[[Array], Array] = _softmax
    after: Callable[[Array], Array] = lambda weights: weights
    join: Callable[[Array], Array] = join_heads
    swapped: bool = False
    """queries and keys"""

    def __call__(self, x: Array, layer: Projections) -> Array:
        """(B, T, D) to (B, T, D)."""
        Q = split_heads(x @ layer.W_q, self.num_heads)  # (B, h, T, d_k)
        K = split_heads(x @ layer.W_k, self.num_heads)  # (B, h, T, d_k)
        V = split_heads(x @ layer.W_v, self.num_heads)  # (B, h, T, d_k)
        if self.swapped:
            Q, K = K, Q
        scores = Q @ K.swapaxes(-1, -2) * self.scale(Q.shape[-1], x.shape[-1])  # (B, h, T, T)
        weights = self.after(self.normalise(self.mask(scores)))  # (B, h, T, T)
        return self.join(weights @ V) @ layer.W_o  # (B, T, D)


def _unmoved(attended: Array) -> Array:
    batch, _, length, _ = attended.shape
    return attended.reshape(batch, length, -1)


BUGS: dict[str, Attention] = {
    "right": FaultyAttention(),
    "scale-missing": FaultyAttention(scale=lambda *_: 1.0),
    "scale-by-d-model": FaultyAttention(scale=lambda _, width: width**-0.5),
    "causal-missing": FaultyAttention(mask=lambda scores: scores),
    "mask-after-softmax": FaultyAttention(mask=lambda scores: scores, after=np.tril),
    "softmax-over-queries": FaultyAttention(normalise=lambda scores: _softmax(scores, axis=-2)),
    "heads-merged-by-reshape": FaultyAttention(join=_unmoved),
    "queries-keys-swapped": FaultyAttention(swapped=True),
    "causal-inverted": FaultyAttention(
        mask=lambda scores: np.where(
            np.tril(np.ones(scores.shape[-2:], dtype=bool), k=-1), -1e9, scores
        )
    ),
}


def bug_table(model: HostModel) -> list[str]:
    """One line per bug: loss, leaked share of the weights, and what it writes."""
    tokens = tokens_of(model, SENTENCE)
    ids = [token.id for token in tokens]
    stories = effect.held_out(model)
    lines = [f"{'bug':<24} {'loss':>6} {'leak':>6}  {SENTENCE} ..."]
    for name, attention in BUGS.items():
        leak = leaked_share(look(model, tokens, attention, name))
        written = islice(write(model, model.through(attention), ids, Sampling()), 12)
        text = model.tokenizer.decode(written)
        lines.append(f"{name:<24} {model.loss(stories, attention):6.2f} {leak:6.1%}  {text}")
    return lines


def generation(model: HostModel) -> float:
    """Seconds for TOKENS tokens through the reference, in this process."""
    ids = [model.tokenizer.start.id, *model.tokenizer.encode(PROMPT)]
    start = time.perf_counter()
    right = model.through(reference(model.recipe.num_heads))
    list(islice(write(model, right, ids, Sampling()), TOKENS))
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    commands = {
        "import matplotlib.pyplot": PYPLOT,
        "import numpy": NUMPY,
        "import numpy and load the model": (PYTHON, "-c", LOAD),
        "attnpack heatmap": HEATMAP,
        "attnpack heatmap --no-file": (*HEATMAP, "--no-file"),
    }
    with tempfile.TemporaryDirectory(prefix="attnpack-bench-") as folder:
        median = interleaved(commands, rounds, Path(folder))
    model = host_model.load()
    plot = median["import matplotlib.pyplot"]
    drawn = median["attnpack heatmap"] / plot
    loading = median["import numpy and load the model"] - median["import numpy"]
    writing = statistics.median(generation(model) for _ in range(rounds))
    for name, wall in median.items():
        print(f"{name:<34} {wall * 1e3:7.0f} ms   {wall / plot:5.2f} x import matplotlib.pyplot")
    print(f"attnpack heatmap: {drawn:.2f} x import matplotlib.pyplot (at most {MOST})")
    print(f"loading the model: {loading * 1e3:.0f} ms (at most 150)")
    print(f"{TOKENS} tokens through the numpy reference: {writing:.2f} s (at most 1)")
    print(*bug_table(model), sep="\n")


if __name__ == "__main__":
    main()
