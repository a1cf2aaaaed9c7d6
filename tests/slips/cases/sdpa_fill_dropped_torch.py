# scaled_dot_product_attention, torch
import torch


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    if mask is not None:
        keep = mask if mask.dtype == torch.bool else mask == 0
        scores.masked_fill(~keep, -1e9)  # here: mask-result-dropped
    weights = torch.softmax(scores, -1)
    return weights @ V, weights
