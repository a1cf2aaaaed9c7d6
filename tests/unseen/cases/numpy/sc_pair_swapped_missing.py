# exercise: attention_scores
# pair: queries-keys-swapped, scale-missing

def attention_scores(Q, K, d_k):
    return K @ np.swapaxes(Q, -1, -2)  # <-
