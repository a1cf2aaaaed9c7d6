# exercise: attention_scores
# bugs: keys-not-transposed

def attention_scores(Q, K, d_k):
    return Q @ K / np.sqrt(d_k)  # <-
