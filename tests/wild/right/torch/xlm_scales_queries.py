# exercise: attention_scores
# right: only the queries are scaled
# source: facebookresearch/XLM#357

def attention_scores(Q, K, d_k):
    q = Q / math.sqrt(d_k)
    return torch.matmul(q, K.transpose(-2, -1))
