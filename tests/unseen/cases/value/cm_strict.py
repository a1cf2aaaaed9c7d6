# exercise: causal_mask
# bugs: causal-strict

def causal_mask(seq_len):
    return [[0.0 if j < i else -1e9 for j in range(seq_len)] for i in range(seq_len)]  # <-
