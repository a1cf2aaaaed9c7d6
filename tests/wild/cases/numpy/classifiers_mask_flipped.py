# exercise: scaled_dot_product_attention
# bugs: mask-inverted
# source: InseeFrLab/torchTextClassifiers#92

def scaled_dot_product_attention(Q, K, V, mask=None):
    logits = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        padding = ~mask if mask.dtype == bool else mask < 0
        logits = np.where(padding, logits, -1e9)  # <-
    logits = logits - logits.max(-1, keepdims=True)
    weights = np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)
    return weights @ V, weights
