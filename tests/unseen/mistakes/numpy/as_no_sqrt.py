# exercise: attention_scores
# bugs: scale-no-sqrt

def attention_scores(Q, K, d_k):
    return np.matmul(Q, np.swapaxes(K, -1, -2)) / d_k  # <-
