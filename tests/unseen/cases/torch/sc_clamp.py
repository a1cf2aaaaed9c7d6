# exercise: attention_scores
# bugs: scores-clamped

def attention_scores(Q, K, d_k):
    return (torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(d_k)).clamp(-50, 50)  # <-
