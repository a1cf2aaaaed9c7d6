"""Exercise 4: apply attention. Each query gets a weighted mean of the values.

    output_i = sum_j weights_ij V_j

weights  T_q rows of T_k   a list of lists of Value: one row for each query; it sums to 1
V        T_k rows of d_v   one row for each key; d_v may differ from d_k
returns  T_q rows of d_v   one row for each query

For example (numbers stand for Values)

    weights = [[0.5, 0.5],
               [1.0, 0.0]]
    V = [[2.0, 0.0, 1.0],
         [4.0, 8.0, 1.0]]
    apply_attention(weights, V)    ->  [[3.0, 4.0, 1.0],
                                        [2.0, 0.0, 1.0]]

Checked: the shape, for T_q != T_k and for every width of V; the values; the gradients with
respect to the weights and V.
"""

from attnpack.value import Value


def apply_attention(weights, V):
    # TODO: mix the rows of V.
    raise NotImplementedError("TODO: apply_attention")
