# exercise: causal_mask
# bugs: mask-bitwise-not

def causal_mask(seq_len):
    keep = np.tril(np.ones((seq_len, seq_len), dtype=int))
    return ~keep * 1e9  # <-
