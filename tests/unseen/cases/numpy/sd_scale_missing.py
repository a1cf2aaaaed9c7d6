# exercise: scaled_dot_product_attention
# bugs: scale-missing

def scaled_dot_product_attention(Q, K, V, mask=None):
    dots = np.einsum("...id,...jd->...ij", Q, K)  # <-
    if mask is not None:
        dots = np.where(mask, dots, -1e10) if mask.dtype == bool else dots + mask
    attn = softmax(dots)
    return np.einsum("...ij,...jd->...id", attn, V), attn
