# causal_mask, torch
import torch


def causal_mask(seq_len):
    mask = torch.zeros(seq_len, seq_len)
    mask.masked_fill(torch.ones(seq_len, seq_len).triu(1).bool(), -1e9)  # here: mask-result-dropped
    return mask
