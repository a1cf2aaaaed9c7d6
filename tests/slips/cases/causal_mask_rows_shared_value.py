# causal_mask, value
def causal_mask(seq_len):
    mask = [[-1e9] * seq_len] * seq_len  # here: rows-shared
    for i in range(seq_len):
        for j in range(i + 1):
            mask[i][j] = 0.0
    return mask
