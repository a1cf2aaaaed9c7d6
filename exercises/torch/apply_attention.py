"""Exercise 4: apply attention. Each query gets a weighted mean of the values.

    output_i = sum_j weights_ij V_j

weights  (..., T_q, T_k)   one row for each query; the row sums to 1
V        (..., T_k, d_v)   one row for each key; d_v may differ from d_k
returns  (..., T_q, d_v)   one row for each query

"..." is any number of leading axes (batch, heads), also none.

For example

    weights = torch.tensor([[0.5, 0.5],
                            [1.0, 0.0]])
    V = torch.tensor([[2.0, 0.0, 1.0],
                      [4.0, 8.0, 1.0]])
    apply_attention(weights, V)    ->  [[3.0, 4.0, 1.0],
                                        [2.0, 0.0, 1.0]]

Checked: the shape, with and without leading axes, for T_q != T_k and for every width of V;
the values; the gradients with respect to the weights and V.
"""

import torch


def apply_attention(weights, V):
    # TODO: mix the rows of V.
    raise NotImplementedError("TODO: apply_attention")
