# exercise: causal_mask
# bugs: mask-fill-too-small, mask-wrong-form, mask-fill-tiny

def causal_mask(seq_len):
    return np.tril(np.ones((seq_len, seq_len))) - 1  # <-
