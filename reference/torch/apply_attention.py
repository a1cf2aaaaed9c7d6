"""Values mixed by attention weights."""


def apply_attention(weights, V):
    """Row i of the result is the mean of V's rows under row i of the weights.

    weights is (..., T_q, T_k), V is (..., T_k, d_v); the result is (..., T_q, d_v).
    """
    return weights @ V  # (..., T_q, d_v)
