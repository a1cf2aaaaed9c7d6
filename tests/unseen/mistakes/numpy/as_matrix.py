# exercise: attention_scores
# bugs: raises, full-transpose

def attention_scores(Q, K, d_k):
    return np.matrix(Q) * np.matrix(K).T / np.sqrt(d_k)  # <-
