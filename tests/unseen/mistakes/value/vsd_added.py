# exercise: scaled_dot_product_attention
# bugs: mask-added-as-boolean

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, len(Q[0]))
    if mask is not None:
        s = [[x + m for x, m in zip(row, keep)] for row, keep in zip(s, mask)]  # <-
    w = softmax(s)
    return apply_attention(w, V), w
