# exercise: causal_mask
# bugs: mask-zero-times-inf

def causal_mask(seq_len):
    return np.triu(np.ones((seq_len, seq_len)), k=1) * -np.inf  # <-
