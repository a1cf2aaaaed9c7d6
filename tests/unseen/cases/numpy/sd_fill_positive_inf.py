# exercise: scaled_dot_product_attention
# bugs: mask-fill-positive

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        keep = mask if mask.dtype == bool else np.isclose(mask, 0)
        scores = np.where(keep, scores, np.inf)  # <-
    with np.errstate(invalid="ignore"):
        w = softmax(scores)
    return w @ V, w
