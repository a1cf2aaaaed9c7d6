# exercise: attention_scores
# bugs: scores-elementwise

def attention_scores(Q, K, d_k):
    return Q * K / np.sqrt(d_k)  # <-
