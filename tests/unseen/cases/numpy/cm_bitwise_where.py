# exercise: causal_mask
# bugs: mask-bitwise-not

def causal_mask(seq_len):
    keep = np.tril(np.ones((seq_len, seq_len), dtype=np.int64))
    return np.where(~keep, -1e9, 0.0)  # <-
