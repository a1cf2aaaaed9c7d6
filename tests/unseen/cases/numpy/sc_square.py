# exercise: attention_scores
# bugs: unrecognised, scale-no-sqrt

def attention_scores(Q, K, d_k):
    return Q @ np.swapaxes(K, -2, -1) / d_k**2  # <-
