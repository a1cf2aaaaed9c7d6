# exercise: causal_mask
# bugs: causal-missing, output-never-filled

def causal_mask(seq_len):
    return np.triu(np.zeros((seq_len, seq_len)), k=1) * -1e9  # <-
