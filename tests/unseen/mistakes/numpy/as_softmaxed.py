# exercise: attention_scores
# bugs: softmax-twice, unrecognised

def attention_scores(Q, K, d_k):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_k)
    return softmax(scores)  # <-
