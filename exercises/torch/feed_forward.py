"""Exercise 9: the feed-forward. Each token goes through a wider layer and back, by itself.

    feed_forward(x) = gelu(x W_1 + b_1) W_2 + b_2

    gelu(h) = h Phi(h),  Phi(h) = (1 + erf(h / sqrt(2))) / 2
            ~ h (1 + tanh(sqrt(2 / pi) (h + 0.044715 h^3))) / 2

Either form of gelu is right.

x        (..., D)   tokens; "..." is any number of leading axes, also none
W_1      (D, F)     F hidden features, often 4 D, not always
b_1      (F,)
W_2      (F, D)
b_2      (D,)
returns  (..., D)

For example

    x = torch.tensor([[1.0, -3.0]])
    W_1 = torch.tensor([[10.0, 0.0, 10.0],
                        [ 0.0, 0.0, 10.0]])
    b_1 = torch.zeros(3)
    W_2 = torch.tensor([[1.0, 0.5],
                        [7.0, 7.0],
                        [7.0, 7.0]])
    b_2 = torch.tensor([0.0, 1.0])
    feed_forward(x, W_1, b_1, W_2, b_2)    ->  [[10.0, 6.0]]

(gelu leaves 10 as it is and takes 0 and -20 to 0.)

Checked: the shape, with and without leading axes and for several F; the values; the
gradients with respect to x, the matrices and the biases.
"""

import torch


def feed_forward(x, W_1, b_1, W_2, b_2):
    # TODO: into F hidden features, through gelu, and back.
    raise NotImplementedError("TODO: feed_forward")
