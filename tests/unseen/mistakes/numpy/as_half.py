# exercise: attention_scores
# bugs: precision-lost

def attention_scores(Q, K, d_k):
    Q, K = Q.astype("float16"), K.astype("float16")  # <-
    return Q @ K.swapaxes(-1, -2) / np.sqrt(d_k)
