# exercise: scaled_dot_product_attention
# bugs: scale-missing

def scaled_dot_product_attention(Q, K, V, mask=None):
    Tq, Tk = Q.shape[-2], K.shape[-2]
    scores = np.zeros(Q.shape[:-2] + (Tq, Tk))
    for i in range(Tq):
        for j in range(Tk):
            scores[..., i, j] = (Q[..., i, :] * K[..., j, :]).sum(axis=-1)  # <-
    if mask is not None:
        if mask.dtype == bool:
            mask = np.where(mask, 0.0, -1e9)
        scores = scores + mask
    weights = softmax(scores)
    return weights @ V, weights
