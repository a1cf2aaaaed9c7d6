# attention_scores, torch
import torch


def attention_scores(Q, K, d_k):
    return torch.bmm(Q, K.transpose(-2, -1)) / d_k**0.5  # here: raises
