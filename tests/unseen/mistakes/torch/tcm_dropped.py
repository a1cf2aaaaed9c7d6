# exercise: causal_mask
# bugs: mask-result-dropped, causal-missing

def causal_mask(seq_len):
    mask = torch.zeros(seq_len, seq_len)
    future = torch.triu(torch.ones(seq_len, seq_len), diagonal=1).bool()
    mask.masked_fill(future, -1e9)  # <-
    return mask
