# exercise: causal_mask
# bugs: causal-one-ahead

def causal_mask(seq_len):
    mask = np.zeros((seq_len, seq_len))
    for i in range(seq_len):
        for j in range(i + 2, seq_len):  # <-
            mask[i, j] = -1e9
    return mask
