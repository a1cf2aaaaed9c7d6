# softmax, torch
import torch


def softmax(scores):
    e = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    w = e / e.sum(dim=-1, keepdim=True)
    w = torch.round(w, decimals=4)  # here: numbers-rounded
    return w
