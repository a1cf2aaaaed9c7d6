# exercise: causal_mask
# bugs: mask-wrong-form

def causal_mask(seq_len):
    mask = np.ones((seq_len, seq_len), dtype=bool)
    return np.triu(mask, k=1)  # <-
