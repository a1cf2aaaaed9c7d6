# exercise: scaled_dot_product_attention
# bugs: attention-across-heads

def scaled_dot_product_attention(Q, K, V, mask=None):
    if Q.ndim == 4:
        Q, K, V = (t.swapaxes(1, 2) for t in (Q, K, V))  # <-
        s = np.einsum("bthd,btgd->bthg", Q, K) / np.sqrt(Q.shape[-1])  # <-
        w = softmax(s)
        return np.einsum("bthg,btgd->bthd", w, V).swapaxes(1, 2), w
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    w = softmax(s)
    return w @ V, w
