"""Exercise 5: scaled dot-product attention. Score, mask, softmax, mix.

    weights = softmax(Q Kᵀ / sqrt(d_k) + mask)
    output  = weights V

Q        (..., T_q, d_k)
K        (..., T_k, d_k)
V        (..., T_k, d_v)
mask     None, or a tensor that broadcasts to (..., T_q, T_k), in one of two forms:
         additive (floats)   0 where a query may look, -1e9 or -inf where it may not
         boolean             True where a query may look, False where it may not
returns  (output, weights)   (..., T_q, d_v) and (..., T_q, T_k)

d_k is the last axis of Q. "..." is any number of leading axes (batch, heads), also none; a
mask for a batch may come as (B, 1, T_k), (B, T_q, T_k), (B, 1, 1, T_k) or (B, 1, T_q, T_k).

For example, a query of zeros, which matches every key equally well:

    Q = torch.tensor([[0.0, 0.0]])
    K = torch.tensor([[1.0, 5.0], [2.0, 6.0], [3.0, 7.0]])
    V = torch.tensor([[2.0], [4.0], [9.0]])
    output, weights = scaled_dot_product_attention(Q, K, V)
        output   ->  [[5.0]]
        weights  ->  [[0.3333, 0.3333, 0.3333]]
    output, weights = scaled_dot_product_attention(Q, K, V, torch.tensor([[True, True, False]]))
        output   ->  [[3.0]]
        weights  ->  [[0.5, 0.5, 0.0]]

Checked: the shapes; that the weights of a row sum to 1 under any mask; that both forms of
mask hide what they should and leave a softmax over the rest; the scaling; the values; the
gradients with respect to Q, K and V. The mask and the other arguments must come out as they
went in. `torch.nn.functional.scaled_dot_product_attention` is what you write here, so it does
not count.
"""

import torch

from apply_attention import apply_attention
from attention_scores import attention_scores
from softmax import softmax


def scaled_dot_product_attention(Q, K, V, mask=None):
    # TODO: four steps; your own functions do three of them.
    raise NotImplementedError("TODO: scaled_dot_product_attention")
