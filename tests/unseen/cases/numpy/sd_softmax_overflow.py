# exercise: scaled_dot_product_attention
# bugs: softmax-overflow

def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = Q @ np.swapaxes(K, -2, -1) / np.sqrt(Q.shape[-1])
    if mask is not None:
        logits = np.where(mask, logits, -1e9) if mask.dtype == bool else logits + mask
    num = np.exp(logits)  # <-
    attn = num / num.sum(axis=-1, keepdims=True)
    return attn @ V, attn
