# exercise: attention_scores
# bugs: scale-no-sqrt, unrecognised, scale-twice, scale-missing

def attention_scores(Q, K, d_k):
    return Q @ np.swapaxes(K, -1, -2) / d_k ** (1 // 2)  # <-
