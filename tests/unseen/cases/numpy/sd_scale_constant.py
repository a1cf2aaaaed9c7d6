# exercise: scaled_dot_product_attention
# bugs: scale-constant

def scaled_dot_product_attention(Q, K, V, mask=None, scale=0.125):
    s = np.matmul(Q, np.swapaxes(K, -1, -2)) * scale  # <-
    if mask is not None:
        s = np.where(mask, s, -np.inf) if mask.dtype == bool else s + mask
    p = softmax(s)
    return p @ V, p
