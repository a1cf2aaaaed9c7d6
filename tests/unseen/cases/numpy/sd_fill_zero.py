# exercise: scaled_dot_product_attention
# bugs: mask-multiplied, mask-fill-tiny

def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = attention_scores(Q, K, Q.shape[-1])
    if mask is not None:
        keep = mask if mask.dtype == bool else mask > -1
        scores = np.where(keep, scores, 0)  # <-
    w = softmax(scores)
    return w @ V, w
