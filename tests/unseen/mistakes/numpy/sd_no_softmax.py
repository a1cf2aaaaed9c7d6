# exercise: scaled_dot_product_attention
# bugs: softmax-missing

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, 0) if mask.dtype == bool else s * (mask == 0)
    return s @ V, s  # <-
