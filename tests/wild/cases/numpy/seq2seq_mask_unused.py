# exercise: scaled_dot_product_attention
# bugs: mask-ignored
# source: MaximumEntropy/Seq2Seq-PyTorch#6

def scaled_dot_product_attention(Q, K, V, mask=None):  # <-
    attn = np.matmul(Q, K.swapaxes(-1, -2))
    attn = attn / np.sqrt(K.shape[-1])
    attn = softmax(attn)  # <-
    return np.matmul(attn, V), attn
