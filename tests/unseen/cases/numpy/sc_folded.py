# exercise: attention_scores
# bugs: attention-across-batch

def attention_scores(Q, K, d_k):
    q = Q.reshape(-1, d_k)  # <-
    k = K.reshape(-1, d_k)  # <-
    return q @ k.T / np.sqrt(d_k)  # <-
