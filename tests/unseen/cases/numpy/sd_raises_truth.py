# exercise: scaled_dot_product_attention
# bugs: raises, truth-of-array

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask:  # <-
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    w = softmax(s)
    return w @ V, w
