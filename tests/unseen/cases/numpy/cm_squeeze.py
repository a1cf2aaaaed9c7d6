# exercise: causal_mask
# bugs: squeeze-drops-axes

def causal_mask(seq_len):
    return np.squeeze(np.triu(np.full((seq_len, seq_len), -1e9), 1))  # <-
