# exercise: scaled_dot_product_attention
# bugs: scale-no-sqrt, scale-twice

def scaled_dot_product_attention(Q, K, V, mask=None):
    dots = Q @ np.swapaxes(K, -2, -1) / Q.shape[-1]  # <-
    if mask is not None:
        dots = np.where(mask, dots, -1e10) if mask.dtype == bool else dots + mask
    attn = softmax(dots)
    return attn @ V, attn
