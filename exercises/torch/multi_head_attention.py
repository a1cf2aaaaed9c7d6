"""Exercise 7: multi-head attention. Several heads look at the same sequence, side by side.

    head_i = attention(Q_i, K_i, V_i)        Q_i is columns i*d_k:(i+1)*d_k of x W_q, ...
    result = [head_0 head_1 ... head_(h-1)] W_o

The constructor makes four layers, with these names:

    self.W_q, self.W_k, self.W_v, self.W_o      nn.Linear from D to D each

A bias is allowed and then part of the answer. A layer computes x @ weight.T; a bare
nn.Parameter (D, D) under one of these names counts as well and is used as x @ W.

d_model    D, the width of a token
num_heads  h, the number of heads; each is d_k = D / h wide. Where h does not divide
           D, raise a ValueError; an assert will do.
causal     True: token i sees tokens 0 to i, in every head. False: every token sees all.

x        (B, T, D)   a batch of B sequences
returns  (B, T, D)

The scale is the head's, sqrt(d_k). The heads are joined in order, then W_o mixes them. One
object is called with different B and T.

For example, with D = 6 and h = 2, head 0 owns columns 0, 1, 2 of what W_q, W_k and W_v give
and head 1 owns columns 3, 4, 5. So where W_o is the identity, columns 0, 1, 2 of the result do
not move when rows 3, 4, 5 of the weight of W_q, W_k or W_v do.

Checked, in eval(): the shape, also for one head, one token, one sequence; the weights, the
mask and the scale of every head, which can be told from the results; that no later token moves
an earlier result; the values, with weights that the checks fill in; the gradients of x and of
every layer, and that parameters() lists all four. nn.MultiheadAttention does not count.
"""

import torch
from torch import nn

from causal_mask import causal_mask
from scaled_dot_product_attention import scaled_dot_product_attention


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads, causal=True):
        super().__init__()
        # TODO: refuse a width that the heads do not divide; make self.W_q, self.W_k,
        # self.W_v and self.W_o; keep what forward needs.
        raise NotImplementedError("TODO: MultiHeadAttention")

    def forward(self, x):
        # TODO: project, split into heads, attend, join the heads, project out.
        raise NotImplementedError("TODO: MultiHeadAttention.forward")
