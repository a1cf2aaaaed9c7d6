# exercise: scaled_dot_product_attention
# bugs: attention-across-batch

def scaled_dot_product_attention(Q, K, V, mask=None):
    lead, T, d = Q.shape[:-2], Q.shape[-2], Q.shape[-1]
    q, k, v = Q.reshape(-1, d), K.reshape(-1, d), V.reshape(-1, V.shape[-1])  # <-
    s = q @ k.T / math.sqrt(d)  # <-
    if mask is not None:
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    w = softmax(s)
    return (w @ v).reshape(*lead, T, V.shape[-1]), w
