# softmax, torch
import torch


def softmax(scores):
    m = scores.max(dim=-1, keepdim=True).values
    e = torch.exp(scores.detach() - m)  # here: graph-detached
    return e / e.sum(dim=-1, keepdim=True)
