# exercise: causal_mask
# bugs: mask-fill-tiny

def causal_mask(seq_len):
    return np.triu(np.full((seq_len, seq_len), -1e-9), k=1)  # <-
