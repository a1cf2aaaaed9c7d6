# exercise: causal_mask
# bugs: causal-strict

def causal_mask(seq_len):
    return torch.triu(torch.full((seq_len, seq_len), -1e9), diagonal=0)  # <-
