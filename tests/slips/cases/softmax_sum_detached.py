# softmax, torch
import torch


def softmax(scores):
    e = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    total = e.sum(dim=-1, keepdim=True).detach()  # here: graph-detached
    return e / total
