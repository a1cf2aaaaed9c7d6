# exercise: causal_mask
# bugs: nothing-returned

def causal_mask(seq_len):  # <-
    mask = np.triu(np.full((seq_len, seq_len), -1e9), k=1)
    print(mask)  # <-
