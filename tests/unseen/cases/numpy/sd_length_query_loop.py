# exercise: scaled_dot_product_attention
# bugs: length-from-query

def scaled_dot_product_attention(Q, K, V, mask=None):
    *lead, T, d = Q.shape
    s = np.zeros((*lead, T, T))  # <-
    for i in range(T):
        for j in range(T):  # <-
            s[..., i, j] = (Q[..., i, :] * K[..., j, :]).sum(-1) / d**0.5  # <-
    if mask is not None:
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    w = softmax(s)
    return w @ V, w
