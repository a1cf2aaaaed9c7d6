# attention_scores, torch
import torch


def attention_scores(Q, K, d_k):
    product = Q * K.transpose(-2, -1)  # here: scores-elementwise
    return product / d_k**0.5
