# exercise: attention_scores
# bugs: scale-constant

D_K = 3


def attention_scores(Q, K, d_k):
    return np.matmul(Q, np.swapaxes(K, -1, -2)) / np.sqrt(D_K)  # <-
