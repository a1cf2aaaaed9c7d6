# exercise: scaled_dot_product_attention
# bugs: keys-not-transposed

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ K / np.sqrt(Q.shape[-1])  # <-
    if mask is not None:
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    w = softmax(s)
    return w @ V, w
