# exercise: attention_scores
# bugs: scale-multiplied, scale-missing

def attention_scores(Q, K, d_k):
    return Q @ K.swapaxes(-1, -2) / 1 * np.sqrt(d_k)  # <-
