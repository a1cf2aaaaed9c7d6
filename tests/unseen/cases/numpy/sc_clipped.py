# exercise: attention_scores
# bugs: scores-clamped

def attention_scores(Q, K, d_k):
    s = Q @ K.swapaxes(-2, -1) / np.sqrt(d_k)
    return np.clip(s, -20, 20)  # <-
