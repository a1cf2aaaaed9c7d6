# exercise: causal_mask
# bugs: causal-strict

def causal_mask(seq_len):
    return np.where(np.tri(seq_len, k=-1), 0.0, -1e9)  # <-
