# exercise: causal_mask
# bugs: causal-length-frozen, state-between-calls

_mask = None


def causal_mask(seq_len):
    global _mask
    if _mask is None:  # <-
        _mask = np.triu(np.full((seq_len, seq_len), -1e9), k=1)  # <-
    return _mask  # <-
