# exercise: causal_mask
# bugs: causal-horizon

MAX_LEN = 8  # <-


def causal_mask(seq_len):
    mask = np.zeros((seq_len, seq_len))
    n = min(seq_len, MAX_LEN)  # <-
    mask[:n, :n] = np.triu(np.full((n, n), -1e9), 1)  # <-
    return mask
