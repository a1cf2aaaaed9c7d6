# exercise: causal_mask
# pair: causal-inverted, mask-fill-too-small

def causal_mask(seq_len):
    return np.tril(np.full((seq_len, seq_len), -50.0), k=-1)  # <-
