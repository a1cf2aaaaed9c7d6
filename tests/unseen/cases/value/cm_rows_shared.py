# exercise: causal_mask
# bugs: causal-first-row, causal-missing, unrecognised, rows-shared

def causal_mask(seq_len):
    mask = [[0.0] * seq_len] * seq_len  # <-
    for i in range(seq_len):
        for j in range(i + 1, seq_len):
            mask[i][j] = float("-inf")
    return mask
