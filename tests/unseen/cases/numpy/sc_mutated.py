# exercise: attention_scores
# bugs: input-mutated

def attention_scores(Q, K, d_k):
    if Q.dtype == float:
        Q /= np.sqrt(d_k)  # <-
        return Q @ np.swapaxes(K, -1, -2)
    return Q @ np.swapaxes(K, -1, -2) / np.sqrt(d_k)
