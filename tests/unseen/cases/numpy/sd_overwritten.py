# exercise: scaled_dot_product_attention
# bugs: mask-argument-overwritten, input-mutated

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        if mask.dtype == bool:
            s = np.where(mask, s, -1e9)
        else:
            mask[mask < 0] = -1e30  # <-
            mask += 0.5  # <-
            s = s + mask
    w = softmax(s)
    return w @ V, w
