"""Exercise 2: attention scores. How well does each query match each key?

    scores = Q Kᵀ / sqrt(d_k)

Q        T_q rows of d_k   a list of lists of Value: one row for each query
K        T_k rows of d_k   one row for each key; T_k may differ from T_q
d_k      int               the width of one query or key
returns  T_q rows of T_k   entry [i][j] is query i against key j

For example, two queries against one key, d_k = 4 (numbers stand for Values):

    Q = [[1.0, 2.0, 0.0, 1.0],
         [0.0, 3.0, 0.0, 0.0]]
    K = [[0.0, 2.0, 5.0, 0.0]]
    attention_scores(Q, K, 4)    ->  [[2.0],
                                      [3.0]]

Checked: the shape, also for T_q != T_k; the scaling; the values; the gradients with respect
to Q and K.
"""

import math

from attnpack.value import Value


def attention_scores(Q, K, d_k):
    # TODO: compare every query with every key, then scale.
    raise NotImplementedError("TODO: attention_scores")
