# exercise: scaled_dot_product_attention
# bugs: scale-after-softmax

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = np.matmul(Q, np.swapaxes(K, -1, -2))
    if mask is not None:
        s = np.where(mask, s, -np.inf) if mask.dtype == bool else s + mask
    p = softmax(s) / np.sqrt(Q.shape[-1])  # <-
    return p @ V, p
