# exercise: causal_mask
# bugs: mask-zero-times-inf

def causal_mask(seq_len):
    return torch.triu(torch.ones(seq_len, seq_len), diagonal=1) * float("-inf")  # <-
