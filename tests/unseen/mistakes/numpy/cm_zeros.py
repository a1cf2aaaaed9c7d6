# exercise: causal_mask
# bugs: causal-missing, output-never-filled

def causal_mask(seq_len):
    return np.zeros((seq_len, seq_len))  # <-
