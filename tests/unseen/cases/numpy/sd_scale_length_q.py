# exercise: scaled_dot_product_attention
# bugs: scale-by-length

def scaled_dot_product_attention(Q, K, V, mask=None):
    seq_len = Q.shape[-2]
    logits = attention_scores(Q, K, seq_len)  # <-
    if mask is not None:
        logits = np.where(mask, logits, -np.inf) if mask.dtype == bool else logits + mask
    p = softmax(logits)
    return p @ V, p
