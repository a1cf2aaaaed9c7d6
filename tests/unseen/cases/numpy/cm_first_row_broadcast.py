# exercise: causal_mask
# bugs: causal-first-row

def causal_mask(seq_len):
    full = np.triu(np.full((seq_len, seq_len), -np.inf), 1)
    return np.zeros((seq_len, seq_len)) + full[0]  # <-
