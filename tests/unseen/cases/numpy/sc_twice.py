# exercise: attention_scores
# bugs: scale-no-sqrt, scale-twice

def attention_scores(Q, K, d_k):
    scale = 1 / np.sqrt(d_k)
    return np.matmul(Q * scale, np.moveaxis(K * scale, -1, -2))  # <-
