# exercise: scaled_dot_product_attention
# bugs: mask-fill-tiny
# source: awslabs/gluonts#1401

def scaled_dot_product_attention(Q, K, V, mask=None):
    score = np.matmul(Q, np.swapaxes(K, -2, -1)) / np.sqrt(Q.shape[-1])
    if mask is not None:
        visible = mask if mask.dtype == bool else mask == 0
        score = np.where(visible, score, 1e-9)  # <-
    weight = softmax(score)
    return np.matmul(weight, V), weight
