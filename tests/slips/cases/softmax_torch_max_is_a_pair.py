# softmax, torch
import torch


def softmax(scores):
    m = torch.max(scores, dim=-1, keepdim=True)
    e = torch.exp(scores - m)  # here: result-not-unpacked raises
    return e / e.sum(dim=-1, keepdim=True)
