"""Bugs of what stays: inputs changed, answers kept, parameters that are none."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from . import reading

BUGS = (
    Bug(
        card=Card(
            id="input-mutated",
            family="precision and state",
            title="an argument is changed in place",
            does=(
                "Changes one of its arguments in place, so that the caller's array is another one "
                "afterwards."
            ),
            example=("scores before  [[0, 2]]\nscores after   [[-2, 0]]"),
            hurts=(
                "Your own result may be right; the next computation with the same array is not. In "
                "a model the residual connection adds the changed input, and in PyTorch the "
                "backward pass may raise."
            ),
            fix="Make a new array for each step.",
            hints=(
                "Print your argument before and after the call. Is it the same?",
                "x -= 1 writes into the caller's array; x = x - 1 makes a new one.",
                "Look for -=, *=, /=, [...] =, out= and torch names with a trailing underscore.",
            ),
            read=(reading.NP_COPIES, reading.T_AUTOGRAD),
            equals=("mask-argument-overwritten",),
            no_model=(
                "The numbers may be right; "
                "it is told by the argument, which is different after the call."
            ),
        ),
        models=(),
    ),
    Bug(
        card=Card(
            id="state-between-calls",
            family="precision and state",
            title="a second call gives another answer",
            does=(
                "Keeps something from one call to the next, so that the same input gives another "
                "answer the second time."
            ),
            example=(
                "scores  [[0, 2]]\n"
                "right   [[0.12, 0.88]]\n"
                "call 1  [[0.12, 0.88]]\n"
                "call 2  [[0.02, 0.98]]"
            ),
            hurts=(
                "Results depend on the order of the calls: training and evaluation disagree, and "
                "no bug can be reproduced."
            ),
            fix=(
                "Keep on self only what does not depend on the input. Make everything else anew in "
                "each call."
            ),
            hints=(
                "Call it twice with the same numbers. What differs?",
                "Where do you write to self, to a global name, or to a default argument?",
                (
                    "Look for self.... = or += inside forward, and for a list or array as a "
                    "default argument."
                ),
            ),
            read=(reading.PY_DEFAULTS, reading.T_MODULE),
            equals=("dropout-in-eval", "layer-made-in-forward"),
            no_model="What a second call gives depends on the state; it is told by asking twice.",
        ),
        models=(),
    ),
    Bug(
        card=Card(
            id="dropout-in-eval",
            family="precision and state",
            title="dropout that ignores eval()",
            does="Drops weights at random even after eval(), when nothing should be dropped.",
            example=("right   [[0.50, 0.50]]\ncall 1  [[1, 0]]\ncall 2  [[0, 1]]"),
            hurts=(
                "Every answer is a little random and the evaluation is worse than the model. "
                "Dropout helps in training only."
            ),
            fix=(
                "Make dropout a module of its own in the constructor, or pass on whether the "
                "module is training."
            ),
            hints=(
                "Do two calls in eval mode agree?",
                "The function form of dropout is on unless it is told otherwise.",
                "Look at F.dropout and its argument training; self.training knows the mode.",
            ),
            read=(reading.T_DROPOUT, reading.DROPOUT),
            equals=("state-between-calls",),
            no_model="Its numbers are random; it is told by asking twice.",
        ),
        models=(),
    ),
    Bug(
        card=Card(
            id="dropout-before-softmax",
            family="precision and state",
            title="dropout on masked scores",
            does=(
                "Applies dropout to the scores, where it multiplies minus infinity by 0 and makes "
                "NaN."
            ),
            example=(
                "masked scores  [[0, -inf]]\n"
                "after dropout  [[0, nan]]\n"
                "right          [[1, 0]]\n"
                "this bug       [[nan, nan]]"
            ),
            hurts=(
                "In training the loss becomes NaN at some random step; in evaluation all is well. "
                "Even without a mask it is another thing: a dropped score becomes 0, an ordinary "
                'score, not "no attention".'
            ),
            fix="Apply dropout to the weights, after softmax.",
            hints=(
                "What is 0 times minus infinity?",
                "Does dropout belong to scores or to weights?",
                "Look at the order of dropout and softmax.",
            ),
            read=(reading.ANNOTATED, reading.T_DROPOUT),
            no_model="Its numbers are random; it is told by NaN in train mode and by asking twice.",
        ),
        models=(),
    ),
    Bug(
        card=Card(
            id="layer-made-in-forward",
            family="precision and state",
            title="parameters made at each call",
            does="Makes its matrices inside forward, so that every call has new random ones.",
            example=(
                "x       [[1, 2]]\n"
                "call 1  [[1.41, 0.08]]\n"
                "call 2  [[2.07, 2.26]]  # new random matrices"
            ),
            hurts=(
                "Nothing that is learnt survives: the optimiser never sees these parameters, and "
                "two calls on the same input disagree."
            ),
            fix="Make the matrices once, in the constructor, and only use them in forward.",
            hints=(
                "Does the same input give the same output twice?",
                "What is made in forward is thrown away after forward.",
                "Look for nn.Linear, nn.Parameter or random numbers inside forward.",
            ),
            read=(reading.T_MODULE, reading.T_LINEAR),
            equals=("state-between-calls",),
            no_model="Its numbers are random; it is told by asking twice.",
        ),
        models=(),
    ),
    Bug(
        card=Card(
            id="parameters-unregistered",
            family="precision and state",
            title="modules in a plain list",
            does=(
                "Keeps layers in a plain list or dictionary, where parameters() does not find them."
            ),
            example=(
                "layers in the model    2\nmatrices found, right  2\nmatrices found, bug    0"
            ),
            hurts=(
                "The optimiser never updates them, saving leaves them out, and moving the model to "
                "a GPU leaves them behind. The model trains, but these layers stay random."
            ),
            fix="Use the containers that the module knows: ModuleList, ModuleDict, ParameterList.",
            hints=(
                "How many numbers does sum(p.numel() for p in model.parameters()) count?",
                "A module registers what is assigned to it directly; it does not look into lists.",
                "Look at the list of layers: nn.ModuleList takes it as its argument.",
            ),
            read=(reading.T_MODULELIST, reading.T_MODULE),
            no_model="No number shows it; parameters() does.",
        ),
        models=(),
    ),
    Bug(
        card=Card(
            id="mask-not-a-buffer",
            family="precision and state",
            title="a mask that does not move with the module",
            does=(
                "Keeps a mask as a plain tensor on self, so that it stays behind when the module "
                "moves or changes type."
            ),
            example=(
                "after model.double()  torch.float64\n"
                "a plain mask          torch.float32\n"
                "a buffer              torch.float64"
            ),
            hurts=(
                "Nothing fails on the CPU. On a GPU the first call raises, because mask and scores "
                "are on different devices."
            ),
            fix="Register the mask as a buffer, or make it on the input's device at each call.",
            hints=(
                'What moves when you call model.to("cuda")?',
                "Parameters and buffers move; plain attributes do not.",
                "Look at register_buffer, and at its argument persistent.",
            ),
            read=(reading.T_MODULE, reading.NANOGPT),
            note_only=True,
            no_model="No number shows it; the module's attributes do.",
        ),
        models=(),
    ),
)
