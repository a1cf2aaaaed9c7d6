# exercise: scaled_dot_product_attention
# bugs: raises, softmax-plus-one, weights-transposed

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / (1 + e.sum(-1, keepdims=True))  # <-
    return np.einsum("...ji,...jd->...id", w, V), w  # <-
