# exercise: causal_mask
# bugs: causal-inverted
# source: pytorch/pytorch#29546

def causal_mask(seq_len):
    visible = np.triu(np.ones((seq_len, seq_len))) == 1  # <-
    mask = np.zeros((seq_len, seq_len))
    mask[~visible] = -np.inf  # <-
    return mask
