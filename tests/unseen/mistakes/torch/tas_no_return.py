# exercise: attention_scores
# bugs: nothing-returned

def attention_scores(Q, K, d_k):  # <-
    scores = Q @ K.transpose(-2, -1) / math.sqrt(d_k)  # <-
