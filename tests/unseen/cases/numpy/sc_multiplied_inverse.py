# exercise: attention_scores
# bugs: scale-multiplied

def attention_scores(Q, K, d_k):
    scale = d_k ** -0.5
    return np.matmul(Q, K.swapaxes(-2, -1)) / scale  # <-
