# exercise: attention_scores
# bugs: unrecognised, integer-scores-buffer, scale-precedence

def attention_scores(Q, K, d_k):
    return Q @ np.swapaxes(K, -1, -2) // np.sqrt(d_k)  # <-
