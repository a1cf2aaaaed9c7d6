# exercise: attention_scores
# bugs: unrecognised

def attention_scores(Q, K, d_k):
    diff = Q[..., :, None, :] - K[..., None, :, :]
    return -(diff**2).sum(-1) / math.sqrt(d_k)  # <-
