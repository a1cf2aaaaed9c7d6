# exercise: attention_scores
# bugs: raises, full-transpose

def attention_scores(Q, K, d_k):
    return Q @ K.transpose(0, 2, 1) / np.sqrt(d_k)  # <-
