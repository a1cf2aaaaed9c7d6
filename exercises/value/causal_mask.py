"""Exercise 3: the causal mask. No token sees the future.

    mask_ij = 0 where j <= i,   -1e9 where j > i

seq_len  int           T, the length of the sequence
returns  T rows of T   a list of lists of floats that are added to the scores: row i belongs
                       to query i, column j to key j. 0.0 leaves a score as it is; -1e9 (or
                       lower, or -inf) closes it.

For example

    causal_mask(3)    ->  [[0.0, -1e9, -1e9],
                           [0.0,  0.0, -1e9],
                           [0.0,  0.0,  0.0]]

Checked: the shape, also for T = 1; that exactly the future is closed; the values.
"""


def causal_mask(seq_len):
    # TODO: zeros where a query may look, a huge negative number where it may not.
    raise NotImplementedError("TODO: causal_mask")
