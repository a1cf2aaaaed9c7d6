# exercise: scaled_dot_product_attention
# bugs: raises, unrecognised

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, V, Q.shape[-1])  # <-
    if mask is not None:
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    w = softmax(s)
    return w @ K, w  # <-
