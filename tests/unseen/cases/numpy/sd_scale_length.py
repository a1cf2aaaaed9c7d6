# exercise: scaled_dot_product_attention
# bugs: scale-by-length

def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = Q @ K.swapaxes(-1, -2) / math.sqrt(K.shape[-2])  # <-
    if mask is not None:
        logits = np.where(mask, logits, -np.inf) if mask.dtype == bool else logits + mask
    p = softmax(logits)
    return p @ V, p
