# exercise: scaled_dot_product_attention
# bugs: mask-ignored, mask-result-dropped

def scaled_dot_product_attention(Q, K, V, mask=None):  # <-
    weights = softmax(attention_scores(Q, K, Q.shape[-1]))  # <-
    return apply_attention(weights, V), weights
