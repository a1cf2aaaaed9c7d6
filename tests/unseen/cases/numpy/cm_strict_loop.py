# exercise: causal_mask
# bugs: causal-strict

def causal_mask(seq_len):
    m = np.zeros((seq_len, seq_len))
    for row in range(seq_len):
        for col in range(seq_len):
            if not col < row:  # <-
                m[row][col] = float("-inf")
    return m
