# exercise: attention_scores
# bugs: graph-detached

def attention_scores(Q, K, d_k):
    return torch.matmul(Q, K.detach().transpose(-2, -1)) / math.sqrt(d_k)  # <-
