# exercise: scaled_dot_product_attention
# bugs: input-mutated

def scaled_dot_product_attention(Q, K, V, mask=None):
    if Q.dtype.kind == "f":
        Q /= math.sqrt(Q.shape[-1])  # <-
    else:
        Q = Q / math.sqrt(Q.shape[-1])
    s = Q @ np.swapaxes(K, -1, -2)
    if mask is not None:
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    w = softmax(s)
    return w @ V, w
