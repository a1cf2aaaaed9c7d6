# exercise: attention_scores
# bugs: raises, keys-reshaped, unrecognised

def attention_scores(Q, K, d_k):
    return torch.matmul(Q, K.transpose(0, 1)) / math.sqrt(d_k)  # <-
