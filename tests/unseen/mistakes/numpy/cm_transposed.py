# exercise: causal_mask
# bugs: causal-inverted

def causal_mask(seq_len):
    mask = np.zeros((seq_len, seq_len))
    for i in range(seq_len):
        mask[i + 1 :, i] = -1e9  # <-
    return mask
