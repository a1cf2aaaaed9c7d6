# exercise: scaled_dot_product_attention
# bugs: mask-tiled-across-heads
# source: ArrowLuo/CLIP4Clip#22

def scaled_dot_product_attention(Q, K, V, mask=None):
    shape = Q.shape[:-2]
    q, k, v = (t.reshape((-1,) + t.shape[-2:]) for t in (Q, K, V))
    s = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
    if mask is not None:
        if mask.ndim == 4:
            mask = np.tile(mask[:, 0], (Q.shape[1], 1, 1))  # <-
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    w = softmax(s)
    o = w @ v
    return o.reshape(shape + o.shape[1:]), w.reshape(shape + w.shape[1:])
