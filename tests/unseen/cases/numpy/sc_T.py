# exercise: attention_scores
# bugs: full-transpose

def attention_scores(Q, K, d_k):
    return np.dot(Q, K.T) / math.sqrt(d_k)  # <-
