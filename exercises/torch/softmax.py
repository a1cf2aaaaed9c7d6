"""Exercise 1: softmax. Scores become weights.

    softmax(s)_j = exp(s_j) / sum_k exp(s_k)        k runs over the keys, the last axis

scores   (..., T_q, T_k)   one row for each query, one column for each key
returns  (..., T_q, T_k)   the same shape; no number is negative, every row sums to 1

"..." is any number of leading axes (batch, heads), also none.

For example

    softmax(torch.tensor([[0.0, 0.0, 0.0, 0.0]]))        ->  [[0.25, 0.25, 0.25, 0.25]]
    softmax(torch.tensor([[1.0, 2.0, 3.0]]))             ->  [[0.0900, 0.2447, 0.6652]]
    softmax(torch.tensor([[1001.0, 1002.0, 1003.0]]))    ->  the same three weights, not NaN

Checked: the shape; that rows sum to 1, also for huge scores, very negative ones and rows far
apart; the values; the gradient with respect to the scores, so stay in torch: `.detach()`,
`.item()`, `.numpy()` and `.data` cut the graph. Write it once by hand: `torch.softmax` passes,
with a note.
"""

import torch


def softmax(scores):
    # TODO: give every row of the scores its weights.
    raise NotImplementedError("TODO: softmax")
