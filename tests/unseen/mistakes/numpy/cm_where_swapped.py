# exercise: causal_mask
# bugs: causal-inverted, mask-inverted

def causal_mask(seq_len):
    keep = np.tri(seq_len, dtype=bool)
    return np.where(keep, -1e9, 0.0)  # <-
