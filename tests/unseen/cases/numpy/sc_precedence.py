# exercise: attention_scores
# bugs: scale-multiplied, unrecognised

def attention_scores(Q, K, d_k):
    return Q @ np.swapaxes(K, -1, -2) / 1 / d_k**-0.5  # <-
