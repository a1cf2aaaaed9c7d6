# attention_scores, torch
import torch


def attention_scores(Q, K, d_k):
    return Q @ K.t() / d_k**0.5  # here: full-transpose
