# scaled_dot_product_attention, torch
import torch


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    if mask is not None:
        keep = mask if mask.dtype == torch.bool else mask == 0
        if scores.ndim == 4 and keep.ndim == 4:
            B, h, T, S = scores.shape
            folded = scores.transpose(0, 1).reshape(h * B, T, S)
            keep = keep[:, 0].expand(B, T, S).repeat_interleave(h, dim=0)  # here: mask-tiled-across-heads
            folded = folded.masked_fill(~keep, -1e9)
            scores = folded.reshape(h, B, T, S).transpose(0, 1)
        else:
            scores = scores.masked_fill(~keep, -1e9)
    weights = torch.softmax(scores, -1)
    return weights @ V, weights
