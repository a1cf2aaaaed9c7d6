# exercise: causal_mask
# bugs: state-between-calls

_masks = {}


def causal_mask(seq_len):
    mask = _masks.setdefault(seq_len, np.zeros((seq_len, seq_len)))  # <-
    mask += np.triu(np.full((seq_len, seq_len), -1e9), 1)  # <-
    result = mask.copy()
    mask += np.eye(seq_len) * -1e9  # <-
    return result
