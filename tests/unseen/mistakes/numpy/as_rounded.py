# exercise: attention_scores
# bugs: numbers-rounded

def attention_scores(Q, K, d_k):
    return np.round(Q @ K.swapaxes(-1, -2) / np.sqrt(d_k), 3)  # <-
