# exercise: attention_scores
# bugs: scale-no-sqrt, scale-twice

def attention_scores(Q, K, d_k):
    return (Q[..., :, None, :] * K[..., None, :, :]).mean(axis=-1)  # <-
