# causal_mask, numpy
def causal_mask(seq_len):
    mask = [[0.0] * seq_len] * seq_len  # here: rows-shared
    for i in range(seq_len):
        for j in range(i + 1, seq_len):
            mask[i][j] = -1e9
    return mask
