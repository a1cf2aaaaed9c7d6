# exercise: attention_scores
# bugs: keys-reshaped

def attention_scores(Q, K, d_k):
    return torch.matmul(Q, K.reshape(*K.shape[:-2], K.size(-1), K.size(-2))) / math.sqrt(d_k)  # <-
