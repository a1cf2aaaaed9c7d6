# exercise: scaled_dot_product_attention
# pair: scale-no-sqrt | scale-twice, mask-after-softmax

def scaled_dot_product_attention(Q, K, V, mask=None):
    w = softmax(np.einsum("...id,...jd->...ij", Q, K) / Q.shape[-1])  # <-
    if mask is not None:
        w = w * (mask if mask.dtype == bool else mask == 0)  # <-
    return w @ V, w
