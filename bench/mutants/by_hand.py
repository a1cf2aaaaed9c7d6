"""What was decided by hand about mutants of the numpy solutions: exercise, change, reason."""

from __future__ import annotations

SHIFTED = "softmax does not see what is added to a whole row"
CLOSED = "any number this low closes a mask; the contract leaves the number open"
NOTED = "it still closes under scores of 1e4: noted, not failed"
COMMUTES = "addition and multiplication commute"
SAME_AXES = "two axes swap in either order, and -2 is axis 2 of four"

NO_QUOTIENT = "not a quotient of exponentials and their sum"
TURNED = "a quotient upside down, or cut to whole numbers"
NO_TRIANGLE = "no triangle, or one that adds to visible scores"
BY_D_V = "scaled by the width of V, where it differs"
NO_SCORES = "the mask alone: queries and keys are not used"
BOTH_FORMS = "two bugs in one step: either form of a mask is read as the other"
OTHER_AXIS = "a mask as long as another axis, which raises unless the two are equal"
EXCHANGED = "keys and values exchanged everywhere: scores and outputs, two bugs and no single step"

EQUIVALENT: dict[str, dict[str, str]] = {
    "softmax": {
        'with np.errstate(invalid="ignore"): -> with np.errstate():': "only a warning differs",
    },
    "attention_scores": {
        "keys_as_columns = np.swapaxes(K, -1, -2) -> keys_as_columns = np.swapaxes(K, -2, -1)": (
            SAME_AXES
        ),
    },
    "causal_mask": {
        "BLOCKED = -1e9 -> BLOCKED = -10000000000.0": CLOSED,
        "BLOCKED = -1e9 -> BLOCKED = -100000000.0": NOTED,
        "BLOCKED = -1e9 -> BLOCKED = -1000000001.0": CLOSED,
        "key = np.arange(seq_len)[np.newaxis, :] -> key = np.arange(seq_len)": (
            "a row broadcasts with or without an axis before it"
        ),
    },
    "scaled_dot_product_attention": {
        "BLOCKED = -1e9 -> BLOCKED = -10000000000.0": CLOSED,
        "BLOCKED = -1e9 -> BLOCKED = -100000000.0": CLOSED,
        "BLOCKED = -1e9 -> BLOCKED = -1000000001.0": CLOSED,
        (
            "scores = attention_scores(Q, K, Q.shape[-1]) -> "
            "scores = attention_scores(Q, K, K.shape[-1])"
        ): "queries and keys have one width",
        "scores = scores + as_additive(mask) -> scores = as_additive(mask) + scores": (
            "addition commutes"
        ),
        "if mask.dtype == bool: -> if mask.dtype <= bool:": "no float dtype casts to bool",
        "return np.where(mask, 0.0, BLOCKED) -> return np.where(mask, 1.0, BLOCKED)": SHIFTED,
    },
    "MultiHeadAttention": {
        "if d_model % num_heads != 0: -> if d_model % num_heads > 0:": (
            "a remainder is never negative"
        ),
        (
            'raise ValueError(f"{num_heads} heads do not divide a width of {d_model}") -> '
            "raise ValueError()"
        ): "only the message differs",
        "return columns.swapaxes(1, 2) -> return columns.swapaxes(2, 1)": SAME_AXES,
        "return columns.swapaxes(1, 2) -> return columns.swapaxes(1, (-2))": SAME_AXES,
        "columns = attended.swapaxes(1, 2) -> columns = attended.swapaxes(2, 1)": SAME_AXES,
        "columns = attended.swapaxes(1, 2) -> columns = attended.swapaxes(1, (-2))": SAME_AXES,
        "return columns.reshape(B, T, h * d_k) -> return columns.reshape(B, T, d_k * h)": (
            "multiplication commutes"
        ),
    },
    "layer_norm": {
        (
            "standardised = centred / np.sqrt(variance + eps) -> "
            "standardised = centred / np.sqrt(eps + variance)"
        ): COMMUTES,
        "return gain * standardised + bias -> return bias + gain * standardised": COMMUTES,
        "return gain * standardised + bias -> return standardised * gain + bias": COMMUTES,
    },
    "feed_forward": {
        "hidden = x @ W_1 + b_1 -> hidden = b_1 + x @ W_1": COMMUTES,
        "return activated @ W_2 + b_2 -> return b_2 + activated @ W_2": COMMUTES,
        (
            "inner = math.sqrt(2.0 / math.pi) * (h + 0.044715 * h**3) -> "
            "inner = (h + 0.044715 * h**3) * math.sqrt(2.0 / math.pi)"
        ): COMMUTES,
        (
            "inner = math.sqrt(2.0 / math.pi) * (h + 0.044715 * h**3) -> "
            "inner = math.sqrt(2.0 / math.pi) * (0.044715 * h**3 + h)"
        ): COMMUTES,
        (
            "inner = math.sqrt(2.0 / math.pi) * (h + 0.044715 * h**3) -> "
            "inner = math.sqrt(2.0 / math.pi) * (h + h**3 * 0.044715)"
        ): COMMUTES,
        (
            "return 0.5 * h * (1.0 + np.tanh(inner)) -> return (1.0 + np.tanh(inner)) * 0.5 * h"
        ): COMMUTES,
        "return 0.5 * h * (1.0 + np.tanh(inner)) -> return h * 0.5 * (1.0 + np.tanh(inner))": (
            COMMUTES
        ),
        "return 0.5 * h * (1.0 + np.tanh(inner)) -> return 0.5 * h * (np.tanh(inner) + 1.0)": (
            COMMUTES
        ),
    },
}
"""survive because they are right"""

NO_ENTRY: dict[str, dict[str, str]] = {
    "softmax": {
        "largest = np.max(scores, axis=-1, keepdims=True) -> largest = scores": NO_QUOTIENT,
        "exps = np.exp(scores - largest) -> exps = scores - largest": NO_QUOTIENT,
        "exps = np.exp(scores - largest) -> exps = np.exp(scores + largest)": NO_QUOTIENT,
        "exps = np.exp(scores - largest) -> exps = np.exp(largest - scores)": NO_QUOTIENT,
        "total = np.sum(exps, axis=-1, keepdims=True) -> total = exps": NO_QUOTIENT,
        "return exps / total -> return exps * total": NO_QUOTIENT,
        "return exps / total -> return exps // total": NO_QUOTIENT,
        "return exps / total -> return total / exps": NO_QUOTIENT,
    },
    "attention_scores": {
        "return products / np.sqrt(d_k) -> return products // np.sqrt(d_k)": TURNED,
        "return products / np.sqrt(d_k) -> return np.sqrt(d_k) / products": TURNED,
    },
    "causal_mask": {
        (
            "return np.where(key <= query, 0.0, BLOCKED) -> "
            "return np.where(key == query, 0.0, BLOCKED)"
        ): NO_TRIANGLE,
        (
            "return np.where(key <= query, 0.0, BLOCKED) -> "
            "return np.where(key != query, 0.0, BLOCKED)"
        ): NO_TRIANGLE,
        (
            "return np.where(key <= query, 0.0, BLOCKED) -> "
            "return np.where(key <= query, 1.0, BLOCKED)"
        ): NO_TRIANGLE,
    },
    "scaled_dot_product_attention": {
        (
            "scores = attention_scores(Q, K, Q.shape[-1]) -> "
            "scores = attention_scores(Q, K, V.shape[-1])"
        ): BY_D_V,
        "scores = scores + as_additive(mask) -> scores = as_additive(mask)": NO_SCORES,
        "if mask.dtype == bool: -> if mask.dtype > bool:": BOTH_FORMS,
        "if mask.dtype == bool: -> if mask.dtype != bool:": BOTH_FORMS,
    },
    "SelfAttention": {
        (
            "mask = causal_mask(x.shape[-2]) if causal else None -> "
            "mask = causal_mask(x.shape[(-3)]) if causal else None"
        ): OTHER_AXIS,
        (
            "mask = causal_mask(x.shape[-2]) if causal else None -> "
            "mask = causal_mask(x.shape[0]) if causal else None"
        ): OTHER_AXIS,
        (
            "mask = causal_mask(x.shape[-2]) if causal else None -> "
            "mask = causal_mask(x.shape[-3]) if causal else None"
        ): OTHER_AXIS,
        (
            "mask = causal_mask(x.shape[-2]) if causal else None -> "
            "mask = causal_mask(x.shape[-0]) if causal else None"
        ): OTHER_AXIS,
        (
            "attended, _ = scaled_dot_product_attention(Q, K, V, mask) -> "
            "attended, _ = scaled_dot_product_attention(Q, V, K, mask)"
        ): EXCHANGED,
    },
    "MultiHeadAttention": {
        (
            "mask = causal_mask(x.shape[-2]) if self.causal else None -> "
            "mask = causal_mask(x.shape[(-3)]) if self.causal else None"
        ): OTHER_AXIS,
        (
            "mask = causal_mask(x.shape[-2]) if self.causal else None -> "
            "mask = causal_mask(x.shape[0]) if self.causal else None"
        ): OTHER_AXIS,
        (
            "mask = causal_mask(x.shape[-2]) if self.causal else None -> "
            "mask = causal_mask(x.shape[-3]) if self.causal else None"
        ): OTHER_AXIS,
        (
            "mask = causal_mask(x.shape[-2]) if self.causal else None -> "
            "mask = causal_mask(x.shape[-0]) if self.causal else None"
        ): OTHER_AXIS,
        (
            "attended, _ = scaled_dot_product_attention(Q, K, V, mask) -> "
            "attended, _ = scaled_dot_product_attention(Q, V, K, mask)"
        ): EXCHANGED,
    },
}
"""killed, and no entry of the catalogue describes them"""
