# attention_scores, torch
import torch


def attention_scores(Q, K, d_k):
    scores = torch.matmul(Q, K)  # here: keys-not-transposed
    return scores / d_k**0.5
