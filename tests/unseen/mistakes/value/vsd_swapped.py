# exercise: scaled_dot_product_attention
# bugs: returns-swapped

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, len(Q[0]))
    if mask is not None:
        s = [[(x if m else -1e9) if isinstance(m, bool) else x + m for x, m in zip(row, keep)] for row, keep in zip(s, mask)]
    w = softmax(s)
    return w, apply_attention(w, V)  # <-
