# exercise: scaled_dot_product_attention
# pair: mask-added-as-boolean, softmax-overflow

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        s = s + mask  # <-
    e = np.exp(s)  # <-
    w = e / e.sum(-1, keepdims=True)
    return w @ V, w
