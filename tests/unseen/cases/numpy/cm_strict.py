# exercise: causal_mask
# bugs: causal-strict

def causal_mask(seq_len):
    return np.triu(np.ones((seq_len, seq_len))) * -1e9  # <-
