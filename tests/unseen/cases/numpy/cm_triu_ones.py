# exercise: causal_mask
# bugs: mask-wrong-form

def causal_mask(seq_len):
    return 1.0 - np.tri(seq_len)  # <-
