# exercise: causal_mask
# bugs: mask-fill-positive

def causal_mask(seq_len):
    mask = np.zeros((seq_len, seq_len))
    mask[np.triu_indices(seq_len, k=1)] = np.inf  # <-
    return mask
