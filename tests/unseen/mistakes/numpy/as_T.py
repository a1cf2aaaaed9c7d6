# exercise: attention_scores
# bugs: full-transpose

def attention_scores(Q, K, d_k):
    return Q @ K.T / np.sqrt(d_k)  # <-
