# exercise: scaled_dot_product_attention
# bugs: queries-keys-swapped

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = list(zip(*attention_scores(Q, K, len(Q[0]))))  # <-
    scores = [list(row) for row in scores]
    if mask is not None:
        scores = [
            [s if m is True else s + (-1e9 if m is False else max(m, -1e9)) for s, m in zip(row, line)]
            for row, line in zip(scores, mask)
        ]
    weights = softmax(scores)
    return apply_attention(weights, V), weights
