# exercise: scaled_dot_product_attention
# bugs: causal-always, unrecognised

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    s = np.where(np.tri(s.shape[-2], s.shape[-1], dtype=bool), s, -1e9)  # <-
    w = softmax(s)
    return w @ V, w
