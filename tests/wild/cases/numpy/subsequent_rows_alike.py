# exercise: causal_mask
# bugs: causal-first-row
# source: OpenNMT/OpenNMT-py#294

def causal_mask(seq_len):
    first = np.full(seq_len, -1e9)
    first[0] = 0.0
    return np.tile(first, (seq_len, 1))  # <-
