# exercise: attention_scores
# bugs: scale-no-sqrt, scale-twice

def attention_scores(Q, K, d_k):
    Q = Q / math.sqrt(d_k)  # <-
    s = np.matmul(Q, K.swapaxes(-2, -1))
    return s / math.sqrt(d_k)  # <-
