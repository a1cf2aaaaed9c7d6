# exercise: attention_scores
# bugs: raises

def attention_scores(Q, K, d_k):
    return torch.bmm(Q, K.transpose(-2, -1)) / math.sqrt(d_k)  # <-
