# exercise: attention_scores
# bugs: raises

def attention_scores(Q, K, d_k):
    return Q @ K.transpose(-2, -1) / torch.sqrt(d_k)  # <-
