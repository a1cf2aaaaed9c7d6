# exercise: attention_scores
# bugs: scale-missing

def attention_scores(Q, K, d_k):
    return np.einsum("...qd,...kd->...qk", Q, K)  # <-
