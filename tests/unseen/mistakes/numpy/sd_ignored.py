# exercise: scaled_dot_product_attention
# bugs: mask-ignored

def scaled_dot_product_attention(Q, K, V, mask=None):  # <-
    s = attention_scores(Q, K, Q.shape[-1])
    w = softmax(s)  # <-
    return apply_attention(w, V), w
