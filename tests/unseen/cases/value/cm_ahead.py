# exercise: causal_mask
# bugs: causal-one-ahead

def causal_mask(seq_len):
    mask = [[0.0] * seq_len for _ in range(seq_len)]
    for i in range(seq_len):
        for j in range(i + 2, seq_len):  # <-
            mask[i][j] = float("-inf")
    return mask
