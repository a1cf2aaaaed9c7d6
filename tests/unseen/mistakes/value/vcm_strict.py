# exercise: causal_mask
# bugs: causal-strict

def causal_mask(seq_len):
    return [[-1e9 if j >= i else 0.0 for j in range(seq_len)] for i in range(seq_len)]  # <-
