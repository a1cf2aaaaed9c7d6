# exercise: causal_mask
# bugs: causal-horizon

def causal_mask(seq_len):
    mask = np.zeros((seq_len, seq_len))
    for i in range(min(seq_len, 16)):  # <-
        for j in range(i + 1, seq_len):
            mask[i, j] = -1e9
    return mask
