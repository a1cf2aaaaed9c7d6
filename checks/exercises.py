"""The seven exercises as a learner meets them: texts only, no numpy."""

from __future__ import annotations

from attnpack.pack.texts import Exercise, Kind
from attnpack.terms import Stage

VASWANI = "Vaswani et al. 2017, Attention Is All You Need, section 3.2 (arXiv:1706.03762)"
BAHDANAU = (
    "Bahdanau et al. 2015, Neural Machine Translation by Jointly Learning to Align and "
    "Translate (arXiv:1409.0473)"
)
ANNOTATED = "Rush 2018, The Annotated Transformer (nlp.seas.harvard.edu/annotated-transformer)"
MICROGRAD = "Karpathy, micrograd: a scalar autograd engine (github.com/karpathy/micrograd)"
MINGPT = "Karpathy, minGPT: CausalSelfAttention in mingpt/model.py (github.com/karpathy/minGPT)"
STABLE_SOFTMAX = (
    "Blanchard, Higham and Higham 2021, Accurately computing the log-sum-exp and softmax functions"
)
BROADCASTING = "NumPy manual, Broadcasting (numpy.org/doc/stable/user/basics.broadcasting.html)"

EXERCISES: tuple[Exercise, ...] = (
    Exercise(
        name="softmax",
        file="softmax.py",
        kind=Kind.FUNCTION,
        title="Scores become weights",
        equation="softmax(s)_j = exp(s_j) / sum_k exp(s_k), over the keys (the last axis)",
        needs=(),
        stages=(Stage.SHAPES, Stage.ROW_SUMS, Stage.VALUES, Stage.GRADIENTS),
        hints=(
            (
                "A score table has one row per query and one column per key. Along which axis "
                "must the weights of one query add up to 1, and what is exp(1000)?"
            ),
            (
                "A softmax does not change when the same number is added to every score of a row."
                " Choose that number, row by row, so that the largest exponent is 0. Keep the "
                "reduced axis, so that one number per row lines up with its row."
            ),
            (
                "The first of the three steps is `largest = scores.max(axis=-1, keepdims=True)` "
                "(torch: `scores.amax(dim=-1, keepdim=True)`; Value: `largest = max(row)`)."
            ),
        ),
        read=(STABLE_SOFTMAX, VASWANI, BROADCASTING),
    ),
    Exercise(
        name="attention_scores",
        file="attention_scores.py",
        kind=Kind.FUNCTION,
        title="How well each query matches each key",
        equation="scores = Q Kᵀ / sqrt(d_k)",
        needs=(),
        stages=(Stage.SHAPES, Stage.SCALING, Stage.VALUES, Stage.GRADIENTS),
        hints=(
            (
                "Q is (..., T_q, d_k) and K is (..., T_k, d_k). Which axis is summed over, and "
                "which two are left? How large does a sum of d_k products of unit-variance "
                "numbers grow?"
            ),
            (
                "Exchange the last two axes of K and no others: a batch or head axis in front "
                "must stay where it is. Divide once, by the root of the width of one key."
            ),
            (
                "Keys as columns: `K.swapaxes(-1, -2)` (torch: `K.transpose(-2, -1)`; Value: one "
                "dot product for each pair of a row of Q and a row of K)."
            ),
        ),
        read=(VASWANI, BAHDANAU, ANNOTATED),
    ),
    Exercise(
        name="causal_mask",
        file="causal_mask.py",
        kind=Kind.FUNCTION,
        title="No token sees the future",
        equation="mask_ij = 0 where j <= i, -1e9 where j > i",
        needs=(),
        stages=(Stage.SHAPES, Stage.MASK, Stage.VALUES),
        hints=(
            (
                "Row i belongs to query i. May token i see itself? And what must be added to a "
                "score so that nothing changes, or so that exp of it is 0?"
            ),
            (
                "The mask is added to the scores, so it holds numbers and no booleans: zeros on "
                "and below the diagonal, one huge negative number above it."
            ),
            (
                "Which pairs are in the future: `np.arange(T)[None, :] > np.arange(T)[:, None]` "
                "(torch: the same with `torch.arange`; Value: `j > i` inside two loops)."
            ),
        ),
        read=(VASWANI, ANNOTATED, MINGPT),
    ),
    Exercise(
        name="apply_attention",
        file="apply_attention.py",
        kind=Kind.FUNCTION,
        title="A weighted mean of the values",
        equation="output = weights V, so output_i = sum_j weights_ij V_j",
        needs=(),
        stages=(Stage.SHAPES, Stage.VALUES, Stage.GRADIENTS),
        hints=(
            (
                "weights is (..., T_q, T_k) and V is (..., T_k, d_v). Which axis do they share, "
                "and what is the shape when it is summed away?"
            ),
            (
                "Each row of weights mixes the rows of V. Nothing is transposed, and the width of"
                " the result is V's, not Q's."
            ),
            (
                "One component: `output[i, c] = sum(weights[i, j] * V[j, c] for j in "
                "range(T_k))`. A matrix product does that for every i and c at once."
            ),
        ),
        read=(VASWANI, BAHDANAU),
    ),
    Exercise(
        name="scaled_dot_product_attention",
        file="scaled_dot_product_attention.py",
        kind=Kind.FUNCTION,
        title="Score, mask, softmax, mix",
        equation="weights = softmax(Q Kᵀ / sqrt(d_k) + mask);  output = weights V",
        needs=("softmax", "attention_scores", "apply_attention"),
        stages=tuple(Stage),
        hints=(
            (
                "If a masked weight is set to 0 after the softmax, what do the other weights of "
                "that row add up to?"
            ),
            (
                "The mask acts on the scores, before the softmax. A boolean mask says True where "
                "a query may look; an additive mask is ready to be added. Let broadcasting line "
                "the mask up with the scores; do not reshape it."
            ),
            (
                "Tell the two forms apart by type: `mask.dtype == bool` (torch: `torch.bool`; "
                "Value: `isinstance(mask[i][j], bool)`), and fill with -1e9 where a query may not"
                " look."
            ),
        ),
        read=(VASWANI, ANNOTATED, MICROGRAD),
    ),
    Exercise(
        name="SelfAttention",
        file="self_attention.py",
        kind=Kind.CLASS,
        title="One sequence attends to itself",
        equation="Q = x W_q, K = x W_k, V = x W_v;  result = attention(Q, K, V) W_o",
        needs=(
            "softmax",
            "attention_scores",
            "causal_mask",
            "apply_attention",
            "scaled_dot_product_attention",
        ),
        stages=tuple(Stage),
        hints=(
            (
                "Queries, keys and values all come from the same x. What makes them differ, and "
                "what is still to be done with the mixed values at the end?"
            ),
            (
                "Four matrices, all (D, D), made once in the constructor and never in forward. "
                "The length of the mask comes from x at each call, and only where causal is True."
            ),
            (
                "The length is the axis before the last, with or without a batch: `T = "
                "x.shape[-2]` (Value: `T = len(x)`)."
            ),
        ),
        read=(VASWANI, MINGPT, ANNOTATED),
    ),
    Exercise(
        name="MultiHeadAttention",
        file="multi_head_attention.py",
        kind=Kind.CLASS,
        title="Several heads side by side",
        equation="head_i = attention(Q_i, K_i, V_i), columns i*d_k:(i+1)*d_k;  "
        "result = [head_1 ... head_h] W_o",
        needs=(
            "softmax",
            "attention_scores",
            "causal_mask",
            "apply_attention",
            "scaled_dot_product_attention",
        ),
        stages=tuple(Stage),
        hints=(
            (
                "Head i owns columns i*d_k to (i+1)*d_k of Q. Which axis must be cut in two for "
                "that, and where must the head axis go so that heads do not attend to each other?"
            ),
            (
                "Cut the last axis (T, D) to (T, h, d_k), then exchange the axes T and h. On the "
                "way out do the same two steps backwards, in the opposite order. The scale is the"
                " head's: sqrt(d_k), with d_k = D / h."
            ),
            (
                "Cutting the columns is `Q.reshape(B, T, h, d_k)`; it is not yet `(B, h, T, d_k)`"
                " (Value: head i of a row is `row[i * d_k : (i + 1) * d_k]`)."
            ),
        ),
        read=(VASWANI, MINGPT, ANNOTATED),
    ),
)
