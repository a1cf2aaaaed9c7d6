# exercise: causal_mask
# bugs: causal-length-frozen, causal-horizon, raises, unrecognised

MASK = np.triu(np.full((4, 4), -1e9), k=1)  # <-


def causal_mask(seq_len):
    return MASK  # <-
