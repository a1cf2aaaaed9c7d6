"""Exercise 2: attention scores. How well does each query match each key?

    scores = Q Kᵀ / sqrt(d_k)

Q        (..., T_q, d_k)   one row for each query
K        (..., T_k, d_k)   one row for each key; T_k may differ from T_q
d_k      int               the width of one query or key
returns  (..., T_q, T_k)   entry (i, j) is query i against key j

"..." is any number of leading axes (batch, heads), also none.

For example, two queries against one key, d_k = 4:

    Q = np.array([[1.0, 2.0, 0.0, 1.0],
                  [0.0, 3.0, 0.0, 0.0]])
    K = np.array([[0.0, 2.0, 5.0, 0.0]])
    attention_scores(Q, K, 4)    ->  [[2.0],
                                      [3.0]]

Checked: the shape, with and without leading axes and for T_q != T_k; the scaling; the values,
also of integers.
"""

import numpy as np


def attention_scores(Q, K, d_k):
    # TODO: compare every query with every key, then scale.
    raise NotImplementedError("TODO: attention_scores")
