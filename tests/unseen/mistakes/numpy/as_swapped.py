# exercise: attention_scores
# bugs: queries-keys-swapped

def attention_scores(Q, K, d_k):
    return K @ Q.swapaxes(-1, -2) / np.sqrt(d_k)  # <-
