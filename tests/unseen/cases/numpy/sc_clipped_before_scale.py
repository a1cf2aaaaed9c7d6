# exercise: attention_scores
# bugs: scores-clamped

def attention_scores(Q, K, d_k):
    s = np.clip(Q @ K.swapaxes(-2, -1), -100, 100)  # <-
    return s / np.sqrt(d_k)
