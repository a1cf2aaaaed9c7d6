# exercise: scaled_dot_product_attention
# pair: softmax-over-queries, mask-ignored

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ K.swapaxes(-2, -1) / np.sqrt(Q.shape[-1])
    e = np.exp(s - s.max(-2, keepdims=True))  # <-
    w = e / e.sum(-2, keepdims=True)  # <-
    return w @ V, w
