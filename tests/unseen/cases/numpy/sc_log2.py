# exercise: attention_scores
# bugs: unrecognised, scale-constant

def attention_scores(Q, K, d_k):
    return Q @ np.swapaxes(K, -1, -2) / np.log(d_k + 1)  # <-
