# exercise: causal_mask
# bugs: causal-one-ahead

def causal_mask(seq_len):
    m = np.zeros((seq_len, seq_len))
    for i in range(seq_len):
        m[i, i + 2 :] = -np.inf  # <-
    return m
