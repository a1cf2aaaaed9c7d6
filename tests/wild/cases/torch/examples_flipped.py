# exercise: causal_mask
# bugs: causal-inverted
# source: pytorch/examples#649

def causal_mask(seq_len):
    mask = torch.triu(torch.ones(seq_len, seq_len))  # <-
    mask = mask.masked_fill(mask == 0, float("-inf"))  # <-
    return mask.masked_fill(mask == 1, 0.0)  # <-
