# exercise: scaled_dot_product_attention
# bugs: mask-after-softmax

def scaled_dot_product_attention(Q, K, V, mask=None):
    p = softmax(attention_scores(Q, K, Q.shape[-1]))
    if mask is not None:
        if mask.dtype == bool:
            p = np.where(mask, p, 0)  # <-
        else:
            p = np.where(mask < 0, 0, p)  # <-
    return p @ V, p
