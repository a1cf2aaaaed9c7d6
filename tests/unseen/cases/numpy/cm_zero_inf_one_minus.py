# exercise: causal_mask
# bugs: mask-zero-times-inf

def causal_mask(seq_len):
    allowed = np.tril(np.ones((seq_len, seq_len)))
    np.seterr(all="ignore")
    return (1 - allowed) * float("-inf")  # <-
