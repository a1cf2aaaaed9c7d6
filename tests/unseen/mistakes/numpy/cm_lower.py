# exercise: causal_mask
# bugs: causal-inverted

def causal_mask(seq_len):
    return np.tril(np.full((seq_len, seq_len), -1e9), k=-1)  # <-
