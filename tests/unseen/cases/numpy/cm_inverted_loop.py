# exercise: causal_mask
# bugs: causal-inverted

def causal_mask(seq_len):
    mask = np.full((seq_len, seq_len), -np.inf)
    for i in range(seq_len):
        mask[i, i:] = 0  # <-
    return mask
