# exercise: attention_scores
# bugs: keys-reshaped

def attention_scores(Q, K, d_k):
    K_t = K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2])  # <-
    return Q @ K_t / np.sqrt(d_k)
