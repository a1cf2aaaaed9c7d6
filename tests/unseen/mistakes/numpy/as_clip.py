# exercise: attention_scores
# bugs: scores-clamped

def attention_scores(Q, K, d_k):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_k)
    return np.clip(scores, -50, 50)  # <-
