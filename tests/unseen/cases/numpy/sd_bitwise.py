# exercise: scaled_dot_product_attention
# bugs: mask-bitwise-not

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        if mask.dtype == bool:
            blocked = ~mask.astype(int)  # <-
            s = np.where(blocked, -1e9, s)
        else:
            s = s + mask
    w = softmax(s)
    return w @ V, w
