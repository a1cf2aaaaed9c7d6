# exercise: causal_mask
# bugs: mask-wrong-form, unrecognised

def causal_mask(seq_len):
    return np.triu(np.full((1, seq_len, seq_len), -1e9), k=1)  # <-
