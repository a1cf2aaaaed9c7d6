# exercise: scaled_dot_product_attention
# bugs: softmax-axis-hard-coded

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = np.matmul(Q, np.swapaxes(K, -2, -1)) / Q.shape[-1] ** 0.5
    if mask is not None:
        s = s + (mask if mask.dtype != bool else np.where(mask, 0, -1e9))
    e = np.exp(s - s.max(1, keepdims=True))  # <-
    a = e / e.sum(1, keepdims=True)  # <-
    return np.matmul(a, V), a
