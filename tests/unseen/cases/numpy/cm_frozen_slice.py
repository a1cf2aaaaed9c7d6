# exercise: causal_mask
# bugs: causal-length-frozen, state-between-calls

cache = {}


def causal_mask(seq_len):
    if "mask" not in cache:  # <-
        cache["mask"] = np.triu(np.full((seq_len, seq_len), -np.inf), k=1)  # <-
    return cache["mask"][:seq_len, :seq_len]  # <-
