# exercise: attention_scores
# bugs: queries-keys-swapped

def attention_scores(Q, K, d_k):
    return np.einsum("...qd,...kd->...kq", Q, K) / np.sqrt(d_k)  # <-
