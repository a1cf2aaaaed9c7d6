# exercise: scaled_dot_product_attention
# bugs: mask-after-softmax

def scaled_dot_product_attention(Q, K, V, mask=None):
    w = softmax(attention_scores(Q, K, len(Q[0])))
    if mask is not None:
        seen = [[m is True or (m is not False and m > -1.0) for m in row] for row in mask]
        w = [[x if s else 0.0 * x for x, s in zip(row, keep)] for row, keep in zip(w, seen)]  # <-
    return apply_attention(w, V), w
