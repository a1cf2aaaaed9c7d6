"""Right code with a branch in it that is wrong: only for some axes, sizes, masks or modes.

Each exercise has one right text, edits that make it wrong, and conditions. Every edit is put behind
every condition, and behind every mode together with every size.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

IMPORTS = "import numpy as np\n\n\n"
REPEATED = "again()"
"""true from the second call on"""
COUNTED = """CALLS = []


def again():
    CALLS.append(1)
    return len(CALLS) > 1


"""


@dataclass(frozen=True)
class Branching:
    """One exercise: the body of a right function, what makes it wrong, and when."""

    exercise: str
    arguments: str
    body: str
    edits: tuple[tuple[str, str], ...]
    """(before, after): every occurrence in the body is replaced"""
    modes: tuple[str, ...]
    """conditions on how it is called: axes, kinds of numbers, masks, flags"""
    sizes: tuple[str, ...]
    """conditions on sizes, and on what was called before"""
    begin: str = ""
    """the head of the class that the function is `forward` of"""

    def text(self, edit: tuple[str, str], condition: str) -> str:
        """The source of one bug."""
        if edit[0] not in self.body:
            raise ValueError(f"{self.exercise}: {edit[0]} does not occur")
        branch = (f"if {condition}:", *_indented(self.body.replace(*edit).splitlines()))
        function = self.exercise if not self.begin else "forward"
        lines = (f"def {function}({self.arguments}):", *_indented((*branch, *self._right)))
        if not self.begin:
            return IMPORTS + COUNTED + "\n".join(lines) + "\n"
        head = (self.begin, "", *_indented(lines))
        return IMPORTS + COUNTED + COMMON + "\n".join(head) + "\n"

    @property
    def _right(self) -> list[str]:
        return self.body.splitlines()


@dataclass(frozen=True)
class Branch:
    """One bug behind a condition."""

    exercise: str
    name: str
    source: str


def branches() -> Iterator[Branch]:
    """Every edit behind every condition, and every mode with every size."""
    for one in (SOFTMAX, SCORES, MASK, APPLY, ATTENTION, SELF_ATTENTION, MULTI_HEAD):
        pairs = (f"{size} and {mode}" for mode, size in product(one.modes, one.sizes))
        for condition in (*one.modes, *one.sizes, *pairs):
            for edit in one.edits:
                name = f"if {condition}: {' -> '.join(edit)}"
                yield Branch(one.exercise, name, one.text(edit, condition))


def _indented(lines: tuple[str, ...] | list[str]) -> list[str]:
    return [f"    {line}" if line else line for line in lines]


SOFTMAX = Branching(
    "softmax",
    "scores",
    """e = np.exp(scores - scores.max(axis=-1, keepdims=True))
return e / e.sum(axis=-1, keepdims=True)""",
    (
        ("axis=-1", "axis=-2"),
        ("axis=-1", "axis=0"),
        ("axis=-1", "axis=1"),
        ("scores.max(axis=-1, keepdims=True)", "0.0"),
        ("scores.max(axis=-1, keepdims=True)", "scores.max()"),
        ("scores.max(axis=-1, keepdims=True)", "scores.max(axis=-2, keepdims=True)"),
        ("e.sum(axis=-1, keepdims=True)", "e.sum()"),
        ("e.sum(axis=-1, keepdims=True)", "e.sum(axis=-2, keepdims=True)"),
        ("e / e.sum(axis=-1, keepdims=True)", "e"),
        ("e / e.sum(axis=-1, keepdims=True)", "e / (e.sum(axis=-1, keepdims=True) + 0.1)"),
        ("e / e.sum(axis=-1, keepdims=True)", "e // e.sum(axis=-1, keepdims=True)"),
        ("e / e.sum(axis=-1, keepdims=True)", "(e / e.sum(axis=-1, keepdims=True))[0]"),
    ),
    (
        "scores.ndim == 2",
        "scores.ndim == 3",
        "scores.ndim == 4",
        "scores.ndim > 2",
        "scores.dtype.kind == 'i'",
        "np.abs(scores).max() > 5000",
        "np.abs(scores).max() < 1000",
        "scores.min() < -1000",
        "scores.max() < 0",
        "np.ptp(scores) > 1000",
    ),
    (
        "scores.shape[-1] == scores.shape[-2]",
        "scores.shape[-1] > scores.shape[-2]",
        "scores.shape[-1] < scores.shape[-2]",
        "scores.shape[-1] == 1",
        "scores.shape[-2] == 1",
        "scores.shape[0] == scores.shape[1]",
        "scores.shape[0] == scores.shape[-1]",
        REPEATED,
    ),
)
AXES_OF_PAIR = (
    "{a}.ndim == 2",
    "{a}.ndim == 3",
    "{a}.ndim == 4",
    "{a}.ndim > 2",
    "{a}.dtype.kind == 'i'",
)
SIZES_OF_PAIR = (
    "{a}.shape == {b}.shape",
    "{a}.shape[-1] == {a}.shape[-2]",
    "{b}.shape[-1] == {b}.shape[-2]",
    "{a}.shape[-2] == {b}.shape[-2]",
    "{a}.shape[-2] > {b}.shape[-2]",
    "{a}.shape[-2] < {b}.shape[-2]",
    "{a}.shape[-2] == 1",
    "{b}.shape[-2] == 1",
    "{a}.shape[0] == 1",
    "{a}.shape[0] == {a}.shape[1]",
    "{a}.shape[0] == {a}.shape[-2]",
)


def _named(conditions: tuple[str, ...], a: str, b: str) -> tuple[str, ...]:
    return tuple(condition.format(a=a, b=b) for condition in conditions)


SCORES = Branching(
    "attention_scores",
    "Q, K, d_k",
    "return Q @ np.swapaxes(K, -1, -2) / np.sqrt(d_k)",
    (
        (" / np.sqrt(d_k)", ""),
        ("np.sqrt(d_k)", "d_k"),
        ("np.sqrt(d_k)", "np.sqrt(K.shape[-2])"),
        ("np.sqrt(d_k)", "2.0"),
        ("np.sqrt(d_k)", "np.sqrt(Q.shape[0])"),
        ("np.swapaxes(K, -1, -2)", "(K if Q.shape[-1] == K.shape[-2] else np.swapaxes(K, -1, -2))"),
        ("Q @ np.swapaxes(K, -1, -2)", "(K @ np.swapaxes(Q, -1, -2))"),
        ("np.swapaxes(K, -1, -2)", "K.T"),
        ("np.swapaxes(K, -1, -2)", "np.swapaxes(K, -1, -2)[..., ::-1]"),
        ("np.swapaxes(K, -1, -2)", "K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2])"),
    ),
    (*_named(AXES_OF_PAIR, "Q", "K"), "np.abs(Q).max() > 100"),
    (*_named(SIZES_OF_PAIR, "Q", "K"), "d_k < 4", "d_k > 4", "d_k % 2", REPEATED),
)
MASK = Branching(
    "causal_mask",
    "seq_len",
    "return np.where(np.tri(seq_len, dtype=bool), 0.0, -1e9)",
    (
        ("np.tri(seq_len, dtype=bool)", "np.tri(seq_len, k=-1, dtype=bool)"),
        ("np.tri(seq_len, dtype=bool)", "np.tri(seq_len, k=1, dtype=bool)"),
        ("np.tri(seq_len, dtype=bool)", "np.tri(seq_len, dtype=bool).T"),
        ("np.tri(seq_len, dtype=bool)", "np.ones((seq_len, seq_len), dtype=bool)"),
        ("np.tri(seq_len, dtype=bool)", "np.tri(4, dtype=bool)"),
        ("np.tri(seq_len, dtype=bool)", "np.tri(seq_len, dtype=bool)[0]"),
        ("-1e9", "-10.0"),
        ("-1e9", "1e9"),
        ("-1e9", "1.0"),
    ),
    (),
    (
        *(f"seq_len == {length}" for length in (1, 2, 3, 4, 5, 6, 8, 33)),
        "seq_len % 2",
        "seq_len % 2 == 0",
        "seq_len > 4",
        "seq_len > 16",
        "seq_len < 4",
        REPEATED,
    ),
)
APPLY = Branching(
    "apply_attention",
    "weights, V",
    "return weights @ V",
    (
        ("weights @ V", "(V @ weights if V.shape[-1] == weights.shape[-2] else weights @ V)"),
        (
            "weights @ V",
            "(weights if weights.shape[-2] != weights.shape[-1] else weights.swapaxes(-1, -2)) @ V",
        ),
        ("weights @ V", "weights @ V[..., ::-1, :]"),
        ("weights @ V", "weights @ V[..., ::-1]"),
        ("weights @ V", "np.swapaxes(weights @ V, -1, -2)"),
        ("weights @ V", "(weights @ V)[::-1]"),
        ("weights @ V", "weights[..., :1, :] @ V"),
        ("weights @ V", "(weights @ V) / V.shape[-2]"),
        ("weights @ V", "np.zeros_like(weights @ V)"),
        ("weights @ V", "(weights @ V).squeeze()"),
    ),
    _named(AXES_OF_PAIR, "weights", "V"),
    (
        *_named(SIZES_OF_PAIR, "weights", "V"),
        "V.shape[-1] == weights.shape[-2]",
        "V.shape[-1] > 2",
        REPEATED,
    ),
)
ATTENTION = Branching(
    "scaled_dot_product_attention",
    "Q, K, V, mask=None",
    """scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
if mask is not None:
    scores = np.where(mask, scores, -np.inf) if mask.dtype == bool else scores + mask
e = np.exp(scores - scores.max(axis=-1, keepdims=True))
weights = e / e.sum(axis=-1, keepdims=True)
return weights @ V, weights""",
    (
        (" / np.sqrt(Q.shape[-1])", ""),
        ("np.sqrt(Q.shape[-1])", "np.sqrt(V.shape[-1])"),
        ("np.sqrt(Q.shape[-1])", "np.sqrt(K.shape[-2])"),
        ("if mask is not None", "if False"),
        ("np.where(mask, scores, -np.inf)", "np.where(mask, -np.inf, scores)"),
        ("np.where(mask, scores, -np.inf)", "scores + mask"),
        ("np.where(mask, scores, -np.inf)", "np.where(mask, scores, -10.0)"),
        ("np.where(mask, scores, -np.inf)", "np.where(mask, scores, -1e4)"),
        ("np.where(mask, scores, -np.inf)", "np.where(mask[0], scores, -np.inf)"),
        ("scores + mask", "scores - mask"),
        ("scores + mask", "scores"),
        ("scores + mask", "scores + np.maximum(mask, -100.0)"),
        ("scores + mask", "scores + mask[:1]"),
        ("axis=-1", "axis=-2"),
        ("axis=-1", "axis=1"),
        ("scores.max(axis=-1, keepdims=True)", "0.0"),
        ("scores.max(axis=-1, keepdims=True)", "scores.max()"),
        ("return weights @ V, weights", "return weights @ V, scores"),
        ("return weights @ V, weights", "return weights @ V, weights.mean(axis=0)"),
        ("weights @ V", "weights @ V[..., ::-1, :]"),
        ("weights @ V", "weights @ V[..., ::-1]"),
    ),
    (
        *_named(AXES_OF_PAIR, "Q", "K"),
        "mask is None",
        "mask is not None",
        "mask is not None and mask.dtype == bool",
        "mask is not None and mask.dtype != bool",
        "mask is not None and np.isinf(mask).any()",
        "mask is not None and mask.ndim == 2",
        "mask is not None and mask.ndim == 3",
        "mask is not None and mask.ndim == 4",
    ),
    (
        *_named(SIZES_OF_PAIR, "Q", "K"),
        "V.shape[-1] == V.shape[-2]",
        "V.shape == K.shape",
        "mask is not None and mask.ndim < Q.ndim",
        "mask is not None and mask.shape[-2] == 1",
        "mask is not None and mask.shape[0] == 1",
        "mask is not None and mask.shape[-1] == mask.shape[-2]",
        REPEATED,
    ),
)
COMMON = """def softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


"""
WRONG_FORWARDS = (
    (" / np.sqrt(Q.shape[-1])", ""),
    ("np.sqrt(Q.shape[-1])", "np.sqrt(x.shape[-2])"),
    ("tri(T)", "tri(T).T"),
    ("tri(T)", "tri(T, k=1)"),
    ("tri(T)", "tri(T, k=-1)"),
    ("-np.inf", "-10.0"),
    ("-np.inf", "-1e4"),
    ("softmax(scores)", "np.swapaxes(softmax(np.swapaxes(scores, -1, -2)), -1, -2)"),
    ("softmax(scores)", "softmax(scores) / (1.0 + (scores < -1e5).any())"),
    ("softmax(scores)", "np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)"),
    ("x @ self.W_k", "x @ self.W_q"),
    ("x @ self.W_v", "x"),
    ("@ V", "@ V[..., ::-1, :]"),
    (" @ self.W_o", ""),
    (" @ self.W_o", " @ self.W_o.T"),
    (" @ self.W_o", " @ self.W_o + x"),
)
SIZES_OF_X = (
    "x.shape[-2] == 1",
    "x.shape[-2] == 2",
    "x.shape[-2] == x.shape[-1]",
    "x.shape[-2] > x.shape[-1]",
    "x.shape[-2] < x.shape[-1]",
    "x.shape[-2] > 16",
    "x.shape[-2] % 2",
    "x.shape[0] == 1",
    "x.shape[0] == x.shape[-2]",
    "x.shape[0] == x.shape[-1]",
    "np.abs(x @ self.W_q).max() > 100",
    "x.shape[-2] != LENGTHS.setdefault(id(self), x.shape[-2])",
    REPEATED,
)
SELF_ATTENTION = Branching(
    "SelfAttention",
    "self, x, causal=True",
    """Q, K, V = x @ self.W_q, x @ self.W_k, x @ self.W_v
T = x.shape[-2]
scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
if causal:
    scores = np.where(np.tri(T), scores, -np.inf)
return softmax(scores) @ V @ self.W_o""",
    (*WRONG_FORWARDS, ("if causal", "if True"), ("if causal", "if False")),
    ("causal", "not causal", "x.ndim == 2", "x.ndim == 3", "x.ndim == 4"),
    SIZES_OF_X,
    """LENGTHS = {}


class SelfAttention:
    def __init__(self, d_model):
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model)""",
)
MULTI_HEAD = Branching(
    "MultiHeadAttention",
    "self, x",
    """B, T, D = x.shape
h = self.h
Q, K, V = x @ self.W_q, x @ self.W_k, x @ self.W_v
Q, K, V = (y.reshape(B, T, h, D // h).swapaxes(1, 2) for y in (Q, K, V))
scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
if self.causal:
    scores = np.where(np.tri(T), scores, -np.inf)
joined = (softmax(scores) @ V).swapaxes(1, 2).reshape(B, T, D)
return joined @ self.W_o""",
    (
        *WRONG_FORWARDS,
        ("if self.causal", "if True"),
        ("if self.causal", "if False"),
        ("np.sqrt(Q.shape[-1])", "np.sqrt(D)"),
        ("np.sqrt(Q.shape[-1])", "np.sqrt(h)"),
        ("y.reshape(B, T, h, D // h).swapaxes(1, 2)", "y.reshape(B, h, T, D // h)"),
        (
            "y.reshape(B, T, h, D // h).swapaxes(1, 2)",
            "np.moveaxis(y.reshape(B, T, D // h, h), -1, 1)",
        ),
        (".swapaxes(1, 2).reshape(B, T, D)", ".reshape(B, T, D)"),
        ("(softmax(scores) @ V)", "(softmax(scores) @ V)[:, ::-1]"),
        ("(softmax(scores) @ V)", "(softmax(scores) @ V[:, :1] + 0 * V)"),
    ),
    ("self.causal", "not self.causal", "self.h == 1", "self.h == 2", "self.h == 3", "self.h > 3"),
    (
        *SIZES_OF_X,
        "x.shape[0] == self.h",
        "x.shape[1] == self.h",
        "x.shape[1] == x.shape[2] // self.h",
        "self.h == x.shape[2] // self.h",
        "self.h * 2 > x.shape[2]",
    ),
    """LENGTHS = {}


class MultiHeadAttention:
    def __init__(self, d_model, num_heads, causal=True):
        if d_model % num_heads:
            raise ValueError("the heads do not divide the width")
        self.h, self.causal = num_heads, causal
        self.W_q, self.W_k, self.W_v, self.W_o = np.random.randn(4, d_model, d_model)""",
)
