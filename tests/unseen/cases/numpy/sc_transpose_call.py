# exercise: attention_scores
# bugs: full-transpose

def attention_scores(Q, K, d_k):
    K_t = np.transpose(K)  # <-
    return np.matmul(Q, K_t) / np.sqrt(d_k)  # <-
