# exercise: scaled_dot_product_attention
# bugs: projection-shared, unrecognised, queries-keys-swapped, raises

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, Q, Q.shape[-1])  # <-
    if mask is not None:
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    w = softmax(s)
    return apply_attention(w, V), w
