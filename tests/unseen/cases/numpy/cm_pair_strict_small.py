# exercise: causal_mask
# pair: causal-strict, mask-fill-too-small

def causal_mask(seq_len):
    return np.triu(np.full((seq_len, seq_len), -50.0), k=0)  # <-
