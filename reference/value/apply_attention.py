"""Values mixed by attention weights."""


def apply_attention(weights, V):
    """Row i of the result is the mean of V's rows under row i of the weights.

    weights is T_q rows of T_k, V is T_k rows of d_v; the result is T_q rows of d_v.
    """
    columns = list(zip(*V, strict=True))  # d_v columns of T_k
    return [[mean(row, column) for column in columns] for row in weights]  # T_q rows of d_v


def mean(weights, column):
    """One component of V, averaged over the keys."""
    return sum(w * v for w, v in zip(weights, column, strict=True))
