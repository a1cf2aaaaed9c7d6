# exercise: causal_mask
# bugs: causal-one-ahead

def causal_mask(seq_len):
    return np.triu(np.ones((seq_len, seq_len)), k=2) * -1e9  # <-
