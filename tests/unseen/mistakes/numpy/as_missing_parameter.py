# exercise: attention_scores
# bugs: raises

def attention_scores(Q, K):  # <-
    return Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
