# exercise: causal_mask
# bugs: mask-fill-tiny

def causal_mask(seq_len):
    m = np.ones((seq_len, seq_len)) * 1e-9  # <-
    return np.triu(m, 1)
