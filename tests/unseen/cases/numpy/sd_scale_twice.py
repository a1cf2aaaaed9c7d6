# exercise: scaled_dot_product_attention
# bugs: scale-no-sqrt, scale-twice

def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = attention_scores(Q, K, d_k) / np.sqrt(d_k)  # <-
    if mask is not None:
        scores = np.where(mask, scores, -1e10) if mask.dtype == bool else scores + mask
    attn = softmax(scores)
    return attn @ V, attn
