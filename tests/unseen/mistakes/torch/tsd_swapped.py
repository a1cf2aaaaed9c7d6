# exercise: scaled_dot_product_attention
# bugs: returns-swapped

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        s = s.masked_fill(~mask, -1e9) if mask.dtype == torch.bool else s + mask
    w = softmax(s)
    return w, apply_attention(w, V)  # <-
