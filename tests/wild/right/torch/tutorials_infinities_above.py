# exercise: causal_mask
# right: triu of minus infinities leaves zeros, not NaN
# source: pytorch/tutorials#2250

def causal_mask(seq_len):
    return torch.triu(torch.ones(seq_len, seq_len) * float("-inf"), diagonal=1)
