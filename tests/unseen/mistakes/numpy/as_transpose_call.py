# exercise: attention_scores
# bugs: full-transpose

def attention_scores(Q, K, d_k):
    keys = K.transpose()  # <-
    return np.matmul(Q, keys) / math.sqrt(d_k)
