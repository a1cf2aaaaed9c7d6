# exercise: causal_mask
# bugs: mask-wrong-form

def causal_mask(seq_len):
    return np.arange(seq_len)[:, None] >= np.arange(seq_len)  # <-
