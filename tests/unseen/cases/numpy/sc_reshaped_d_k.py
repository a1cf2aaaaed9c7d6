# exercise: attention_scores
# bugs: keys-reshaped

def attention_scores(Q, K, d_k):
    return Q @ np.reshape(K, K.shape[:-2] + (d_k, -1)) / np.sqrt(d_k)  # <-
