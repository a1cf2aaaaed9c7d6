# exercise: attention_scores
# bugs: input-mutated, inplace-breaks-graph, raises

def attention_scores(Q, K, d_k):
    Q /= math.sqrt(d_k)  # <-
    return torch.matmul(Q, K.transpose(-2, -1))
