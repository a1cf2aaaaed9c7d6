"""Exercise 1: softmax. Scores become weights.

    softmax(s)_j = exp(s_j) / sum_k exp(s_k)        k runs over the keys, along a row

scores   T_q rows of T_k   a list of lists of Value: one row for each query
returns  T_q rows of T_k   a new list of lists; no number is negative, every row sums to 1

For example (numbers stand for Values)

    softmax([[0.0, 0.0, 0.0, 0.0]])        ->  [[0.25, 0.25, 0.25, 0.25]]
    softmax([[1.0, 2.0, 3.0]])             ->  [[0.0900, 0.2447, 0.6652]]
    softmax([[1001.0, 1002.0, 1003.0]])    ->  the same three weights, and no OverflowError

A Value knows + - * / **, exp(), log(), and works with sum() and max(). Build results from
Values: `.data` is a plain number, and what is made of it has no gradient.

Checked: the shape; that rows sum to 1, also for huge scores, very negative ones and rows far
apart; the values; the gradient with respect to the scores.
"""

from attnpack.value import Value


def softmax(scores):
    # TODO: give every row of the scores its weights.
    raise NotImplementedError("TODO: softmax")
