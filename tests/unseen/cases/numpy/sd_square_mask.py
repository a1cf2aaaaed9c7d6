# exercise: scaled_dot_product_attention
# bugs: mask-assumes-square

def scaled_dot_product_attention(Q, K, V, mask=None):
    T = Q.shape[-2]
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        mask = np.broadcast_to(mask, mask.shape[:-2] + (T, T))  # <-
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    w = softmax(s)
    return w @ V, w
