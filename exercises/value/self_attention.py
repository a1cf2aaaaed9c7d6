"""Exercise 6: self-attention. One sequence attends to itself, with one head.

    Q = x W_q,   K = x W_k,   V = x W_v
    result = attention(Q, K, V) W_o

The constructor makes four matrices, with these names, used as x @ W:

    self.W_q, self.W_k, self.W_v, self.W_o      D rows of D Values each, any start values

x        T rows of D   a list of lists of Value: one row for each token; D is d_model
causal   bool          True: token i sees tokens 0 to i. False: every token sees all.
returns  T rows of D

There is one head, as wide as the model: d_k = D. One object is called with sequences of
different lengths.

For example, with W_q all zeros (every key matches equally well) and W_v and W_o the identity,
each token becomes the mean of the tokens it sees (numbers stand for Values):

    x = [[2.0, 0.0], [4.0, 0.0], [9.0, 3.0]]
    attention.forward(x)                  ->  [[2.0, 0.0], [3.0, 0.0], [5.0, 1.0]]
    attention.forward(x, causal=False)    ->  [[5.0, 1.0], [5.0, 1.0], [5.0, 1.0]]

Checked: the shape, at several lengths; the weights, the mask and the scale, which can be told
from the results; that no later token moves an earlier result; the values, with matrices that
the checks fill in; the gradients of x and of every matrix.
"""

import random

from attnpack.value import Value

from causal_mask import causal_mask
from scaled_dot_product_attention import scaled_dot_product_attention


class SelfAttention:
    def __init__(self, d_model):
        # TODO: make self.W_q, self.W_k, self.W_v and self.W_o.
        raise NotImplementedError("TODO: SelfAttention")

    def forward(self, x, causal=True):
        # TODO: project, attend, project out.
        raise NotImplementedError("TODO: SelfAttention.forward")
