# exercise: causal_mask
# bugs: causal-one-ahead

def causal_mask(seq_len):
    keep = np.tri(seq_len, seq_len, 1)  # <-
    return (1 - keep) * -1e9
