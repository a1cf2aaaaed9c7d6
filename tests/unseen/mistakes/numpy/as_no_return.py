# exercise: attention_scores
# bugs: nothing-returned

def attention_scores(Q, K, d_k):  # <-
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_k)  # <-
