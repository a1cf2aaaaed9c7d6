# exercise: scaled_dot_product_attention
# pair: mask-of-first-sample, scale-missing

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = np.einsum("...id,...jd->...ij", Q, K)  # <-
    if mask is not None:
        while mask.ndim > 2:
            mask = mask[0]  # <-
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    w = softmax(s)
    return w @ V, w
