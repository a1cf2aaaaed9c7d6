# exercise: attention_scores
# bugs: scale-by-length

def attention_scores(Q, K, d_k):
    n = Q.shape[-2]  # <-
    return np.einsum("...id,...jd->...ij", Q, K) * n**-0.5  # <-
