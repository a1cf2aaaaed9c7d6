# exercise: causal_mask
# bugs: mask-wrong-form

def causal_mask(seq_len):
    return np.tril(np.ones((seq_len, seq_len)))  # <-
