# exercise: scaled_dot_product_attention
# bugs: softmax-missing
# source: PaddlePaddle/PaddleOCR#4556

def scaled_dot_product_attention(Q, K, V, mask=None):
    e = Q @ np.swapaxes(K, -1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        e = np.where(mask if mask.dtype == bool else mask == 0, e, 0.0)
    alpha = e  # <-
    return alpha @ V, alpha  # <-
