# exercise: attention_scores
# bugs: squeeze-drops-axes

def attention_scores(Q, K, d_k):
    s = Q[..., :, None, :] @ np.swapaxes(K, -1, -2)[..., None, :, :]
    return s.squeeze() / np.sqrt(d_k)  # <-
