# exercise: causal_mask
# bugs: causal-inverted

def causal_mask(seq_len):
    closed = torch.tril(torch.ones(seq_len, seq_len), diagonal=-1).bool()  # <-
    return torch.zeros(seq_len, seq_len).masked_fill(closed, float("-inf"))
