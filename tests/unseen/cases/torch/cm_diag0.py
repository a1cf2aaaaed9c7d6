# exercise: causal_mask
# bugs: causal-strict

def causal_mask(seq_len):
    mask = torch.triu(torch.ones(seq_len, seq_len), diagonal=0)  # <-
    return mask.masked_fill(mask == 1, float("-inf"))
