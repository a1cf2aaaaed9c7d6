# exercise: attention_scores
# pair: scale-multiplied, scores-clamped

def attention_scores(Q, K, d_k):
    return np.clip(Q @ np.swapaxes(K, -1, -2) * math.sqrt(d_k), -50, 50)  # <-
