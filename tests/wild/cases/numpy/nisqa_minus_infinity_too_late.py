# exercise: scaled_dot_product_attention
# bugs: mask-after-softmax
# source: gabrielmittag/NISQA#17

def scaled_dot_product_attention(Q, K, V, mask=None):
    att = softmax(attention_scores(Q, K, Q.shape[-1]))
    if mask is not None:
        keep = mask if mask.dtype == bool else mask == 0
        att = np.where(keep, att, -np.inf)  # <-
    return apply_attention(att, V), att
