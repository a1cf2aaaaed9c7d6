"""Bugs that only the backward pass shows."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from . import reading

BUGS = (
    Bug(
        card=Card(
            id="graph-detached",
            family="gradients",
            title="the gradient's path is cut",
            does=(
                "Rebuilds a result from raw numbers (.data, .item(), float(), .numpy(), "
                ".detach()), so no gradient reaches an input."
            ),
            example=("x                   3\nd(x * x)/dx, right  6\nthrough x.item()    None"),
            hurts=(
                "The forward pass is perfect and nothing raises. But whatever lies before the cut "
                "never learns; the loss stops falling early and nobody sees why."
            ),
            fix="Stay with tensors (or Values) from input to output, and use their own operations.",
            hints=(
                "After backward(), which inputs have a gradient of None or 0?",
                "Raw numbers do not remember where they came from.",
                (
                    "Look for .data, .item(), .detach(), .numpy(), float(), no_grad and "
                    "torch.tensor(...) around a tensor."
                ),
            ),
            read=(reading.T_AUTOGRAD, reading.MICROGRAD),
            star=True,
            no_model="The forward numbers are right; it is told by a gradient that never arrives.",
        ),
        models=(),
    ),
    Bug(
        card=Card(
            id="gradient-wrong",
            family="gradients",
            title="a hand-written backward with a wrong derivative",
            does=(
                "Computes a gradient by hand with a wrong formula, while the forward pass is right."
            ),
            example=(
                "weights            [0.27, 0.73]\n"
                "gradient arriving  [1, 0]\n"
                "right              [0.20, -0.20]\n"
                "this bug           [0.20, 0.00]"
            ),
            hurts=(
                "The model goes downhill in a wrong direction: the loss falls slowly, or stops, or "
                "wanders. Nothing raises."
            ),
            fix=(
                "Compare it with central differences: nudge one input up and down by a little and "
                "see how the result moves."
            ),
            hints=(
                "Which input's gradient is off, and by what factor or term?",
                (
                    "In softmax every weight depends on every score of its row. Does your formula "
                    "have that second part?"
                ),
                (
                    "Look at the backward function; check it with torch.autograd.gradcheck, or by "
                    "nudging."
                ),
            ),
            read=(reading.T_GRADCHECK, reading.MICROGRAD),
            star=True,
            no_model="The forward numbers are right; it is told by central differences.",
        ),
        models=(),
    ),
    Bug(
        card=Card(
            id="gradient-nan",
            family="gradients",
            title="a NaN in the backward pass",
            does=(
                "Gives finite results whose gradients are NaN, because a NaN or infinity was made "
                "on the way and then replaced."
            ),
            example=(
                "softmax of [-inf, -inf]  [[nan, nan]]\n"
                "NaN replaced by 0        [[0, 0]]\n"
                "gradient of the scores   [[nan, nan]]"
            ),
            hurts=(
                "Replacing a NaN after the fact cleans the result, not the gradient: 0 times NaN "
                "is NaN. The first optimiser step makes every parameter NaN."
            ),
            fix=(
                "Do not let it arise: avoid the division by zero, the root of 0 or the row of "
                "minus infinities beforehand."
            ),
            hints=(
                "Which intermediate value is NaN or infinite, even though the result is not?",
                (
                    "where and nan_to_num choose in the forward pass; the backward pass goes "
                    "through both branches."
                ),
                (
                    "Look for where, nan_to_num and sqrt, and make their input safe before they "
                    "are called."
                ),
            ),
            read=(reading.T_AUTOGRAD, reading.IEEE),
            star=True,
            no_model="The forward numbers are right; it is told by a gradient that is not finite.",
        ),
        models=(),
    ),
    Bug(
        card=Card(
            id="inplace-breaks-graph",
            family="gradients",
            title="changed in place what the backward pass needs",
            does=(
                "Changes a tensor in place that the backward pass still needs, so that backward() "
                "raises."
            ),
            example=(
                "weights * mask, then backward   no error\n"
                "weights *= mask, then backward  RuntimeError"
            ),
            hurts=(
                "Softmax, exp and many others keep their result to compute the gradient. If you "
                'overwrite it, PyTorch notices and raises "modified by an inplace operation"; a '
                "simpler engine would compute a wrong gradient."
            ),
            fix="Make a new tensor in place of writing into the old one.",
            hints=(
                (
                    "Which tensor does the message say was modified, and which of your lines "
                    "writes into it?"
                ),
                "x *= m changes x itself; x = x * m leaves the old one to the backward pass.",
                (
                    "Look for +=, *=, [...] = and names with a trailing underscore, such as "
                    "masked_fill_, after softmax or exp."
                ),
            ),
            read=(reading.T_AUTOGRAD, reading.T_MASKED_FILL),
            star=True,
            no_model="It raises in torch alone, and is told by what the exception says.",
        ),
        models=(),
    ),
)
