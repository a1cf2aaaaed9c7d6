# exercise: causal_mask
# bugs: causal-inverted

def causal_mask(seq_len):
    m = np.zeros((seq_len, seq_len))
    m[np.tril_indices(seq_len, -1)] = -1e9  # <-
    return m
