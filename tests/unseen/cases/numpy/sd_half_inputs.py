# exercise: scaled_dot_product_attention
# bugs: precision-lost

def scaled_dot_product_attention(Q, K, V, mask=None):
    Q, K, V = (t.astype(np.float16).astype(float) for t in (Q, K, V))  # <-
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    w = softmax(s)
    return apply_attention(w, V), w
