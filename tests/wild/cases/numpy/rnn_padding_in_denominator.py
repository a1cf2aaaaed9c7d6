# exercise: scaled_dot_product_attention
# bugs: mask-after-softmax
# source: ilivans/tf-rnn-attention#11

def scaled_dot_product_attention(Q, K, V, mask=None):
    vu = np.einsum("...td,...sd->...ts", Q, K) / np.sqrt(Q.shape[-1])
    e = np.exp(vu - vu.max(axis=-1, keepdims=True))
    alphas = e / e.sum(axis=-1, keepdims=True)
    if mask is not None:
        real = np.asarray(mask if mask.dtype == bool else mask > -1, dtype=float)
        alphas = np.multiply(alphas, real)  # <-
    return np.einsum("...ts,...sd->...td", alphas, V), alphas
