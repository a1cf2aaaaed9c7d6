# exercise: causal_mask
# bugs: mask-fill-too-small

def causal_mask(seq_len):
    return np.where(np.tri(seq_len) == 1, 0.0, -100.0)  # <-
