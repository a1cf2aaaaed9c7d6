# exercise: scaled_dot_product_attention
# bugs: mask-on-query-rows
# source: hyunwoongko/transformer#40

def scaled_dot_product_attention(Q, K, V, mask=None):
    score = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        keep = mask if mask.dtype == bool else mask == 0
        if keep.ndim >= 3 and keep.shape[-2] == 1:
            keep = keep.swapaxes(-1, -2)  # <-
        score = np.where(keep, score, -1e9)
    weights = softmax(score)
    return weights @ V, weights
