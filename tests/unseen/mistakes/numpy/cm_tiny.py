# exercise: causal_mask
# bugs: mask-fill-tiny

def causal_mask(seq_len):
    return np.triu(np.ones((seq_len, seq_len)), k=1) * -1e-9  # <-
