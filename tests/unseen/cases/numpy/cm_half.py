# exercise: causal_mask
# bugs: precision-lost, mask-fill-positive, mask-fill-too-small, unrecognised

def causal_mask(seq_len):
    return np.triu(np.full((seq_len, seq_len), -6e4, dtype=np.float16), k=1)  # <-
