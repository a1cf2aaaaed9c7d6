# exercise: attention_scores
# bugs: scale-multiplied

def attention_scores(Q, K, d_k):
    scores = Q @ K.swapaxes(-1, -2)
    return scores * np.sqrt(d_k)  # <-
