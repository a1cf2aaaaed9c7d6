# exercise: scaled_dot_product_attention
# bugs: softmax-overflow

def scaled_dot_product_attention(Q, K, V, mask=None):
    num = np.exp(Q @ np.swapaxes(K, -2, -1) / np.sqrt(Q.shape[-1]))  # <-
    if mask is not None:
        num = num * (mask if mask.dtype == bool else np.exp(mask))
    attn = num / num.sum(axis=-1, keepdims=True)
    return attn @ V, attn
