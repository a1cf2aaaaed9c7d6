# exercise: attention_scores
# bugs: scores-clamped

def attention_scores(Q, K, d_k):
    s = Q @ K.swapaxes(-2, -1) / np.sqrt(d_k)
    return 30.0 * np.tanh(s / 30.0)  # <-
