# exercise: causal_mask
# bugs: causal-strict

def causal_mask(seq_len):
    return np.triu(np.full((seq_len, seq_len), -1e9))  # <-
