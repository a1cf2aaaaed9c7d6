# exercise: causal_mask
# bugs: mask-fill-too-small

def causal_mask(seq_len):
    i, j = np.indices((seq_len, seq_len))
    return -10.0 * (j > i)  # <-
