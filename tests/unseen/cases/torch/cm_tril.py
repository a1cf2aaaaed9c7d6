# exercise: causal_mask
# bugs: causal-inverted

def causal_mask(seq_len):
    mask = torch.tril(torch.ones(seq_len, seq_len), diagonal=-1)  # <-
    return mask.masked_fill(mask == 1, float("-inf"))
