# exercise: causal_mask
# bugs: causal-first-row

def causal_mask(seq_len):
    row = np.full(seq_len, -1e9)  # <-
    row[0] = 0.0  # <-
    return np.tile(row, (seq_len, 1))  # <-
