# exercise: attention_scores
# bugs: raises, unrecognised

def attention_scores(Q, K, d_k):
    return torch.matmul(Q, K.transpose(1, 2)) / math.sqrt(d_k)  # <-
