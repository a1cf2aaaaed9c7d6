# exercise: causal_mask
# bugs: raises

def causal_mask(seq_len):
    return np.triu(np.full(seq_len, seq_len, -1e9), k=1)  # <-
