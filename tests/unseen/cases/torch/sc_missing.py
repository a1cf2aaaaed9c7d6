# exercise: attention_scores
# bugs: scale-missing

def attention_scores(Q, K, d_k):
    return torch.matmul(Q, K.transpose(-2, -1))  # <-
