# exercise: causal_mask
# bugs: mask-result-dropped, causal-missing

def causal_mask(seq_len):
    mask = np.zeros((seq_len, seq_len))
    future = np.triu(np.ones((seq_len, seq_len)), k=1)
    np.where(future == 1, -1e9, mask)  # <-
    return mask
