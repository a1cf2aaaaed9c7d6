"""Softmax over the keys, safe for large scores."""


def softmax(scores):
    """Weights from scores: same shape, every row sums to 1.

    Subtracting a row's largest score changes nothing in the quotient and keeps exp from
    overflowing.
    """
    return [softmax_of_row(row) for row in scores]  # T_q rows of T_k


def softmax_of_row(row):
    """The weights of one query."""
    largest = max(row)
    exps = [(score - largest).exp() for score in row]  # T_k
    total = sum(exps)
    return [e / total for e in exps]  # T_k
