# exercise: scaled_dot_product_attention
# bugs: mask-ignored

def scaled_dot_product_attention(Q, K, V, mask=None):  # <-
    w = softmax(attention_scores(Q, K, len(Q[0])))  # <-
    return apply_attention(w, V), w
