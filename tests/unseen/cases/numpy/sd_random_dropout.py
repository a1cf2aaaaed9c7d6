# exercise: scaled_dot_product_attention
# bugs: dropout-in-eval, state-between-calls

def scaled_dot_product_attention(Q, K, V, mask=None):
    s = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -1e9) if mask.dtype == bool else s + mask
    w = softmax(s)
    w = w * (np.random.rand(*w.shape) > 0.1) / 0.9  # <-
    return w @ V, w
