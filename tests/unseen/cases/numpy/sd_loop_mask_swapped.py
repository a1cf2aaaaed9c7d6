# exercise: scaled_dot_product_attention
# bugs: mask-on-query-rows, mask-assumes-square

def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    Tq, Tk = Q.shape[-2], K.shape[-2]
    s = np.zeros((*Q.shape[:-1], Tk))
    for i in range(Tq):
        for j in range(Tk):
            s[..., i, j] = np.sum(Q[..., i, :] * K[..., j, :], axis=-1) / math.sqrt(d_k)
    if mask is not None:
        bias = np.where(mask, 0.0, -np.inf) if mask.dtype == bool else mask
        bias = np.broadcast_to(bias, (*bias.shape[:-2], max(bias.shape[-2], 1), Tk))
        s = s + np.swapaxes(bias, -1, -2)  # <-
    w = softmax(s)
    return w @ V, w
