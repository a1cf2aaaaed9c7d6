# exercise: attention_scores
# bugs: full-transpose, raises

def attention_scores(Q, K, d_k):
    return torch.matmul(Q, K.T) / math.sqrt(d_k)  # <-
