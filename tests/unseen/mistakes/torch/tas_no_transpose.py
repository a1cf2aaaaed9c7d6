# exercise: attention_scores
# bugs: keys-not-transposed

def attention_scores(Q, K, d_k):
    return torch.matmul(Q, K) / math.sqrt(d_k)  # <-
