# exercise: causal_mask
# bugs: mask-wrong-form

def causal_mask(seq_len):
    mask = torch.triu(torch.ones(seq_len, seq_len), diagonal=1)
    mask.masked_fill(mask == 1, float("-inf"))  # <-
    return mask  # <-
