"""Bugs of number types, and of state that outlives a call."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from ..steps import scalings
from . import reading
from .ways import GIVEN, SCORES, way

BUGS = (
    Bug(
        card=Card(
            id="precision-lost",
            family="precision and state",
            title="computed in half precision",
            does=(
                "Computes in half precision (float16 or bfloat16), where numbers have only three "
                "or so digits."
            ),
            example=(
                "scores      [[2048, 2049]]\n"
                "in float16  [[2048, 2048]]\n"
                "right       [[0.27, 0.73]]\n"
                "this bug    [[0.50, 0.50]]"
            ),
            hurts=(
                "Above 2048 float16 has no odd integers, and above 65504 nothing but infinity. "
                "Close scores become equal, and large ones overflow. (Single precision, float32, "
                "is fine.)"
            ),
            fix=(
                "Compute at least in float32. If the input is half precision, widen it for the "
                "scores and softmax and go back at the end."
            ),
            hints=(
                "How many digits of your result agree with the expected one?",
                "Which line makes an array of a smaller type?",
                "Look for float16, half, bfloat16 or astype on the way.",
            ),
            read=(reading.MIXED, reading.NP_DTYPES),
            no_model=(
                "Half precision rounds in the order of the operations; "
                "it is told by the size of the error."
            ),
        ),
        models=(),
    ),
    Bug(
        card=Card(
            id="integer-scores-buffer",
            family="precision and state",
            title="scores in an integer array",
            does=(
                "Keeps the scores in an integer array, which cuts off everything behind the "
                "decimal point."
            ),
            example=(
                "scores         [[0.20, 0.90]]\n"
                "in the buffer  [[0, 0]]\n"
                "right          [[0.33, 0.67]]\n"
                "this bug       [[0.50, 0.50]]"
            ),
            hurts=(
                "Scores of 0.2 and 0.9 both become 0. The attention turns coarse or uniform "
                "without a message."
            ),
            fix="Make the array for the scores with a floating-point type.",
            hints=(
                "What is the dtype of your scores when Q and K hold whole numbers?",
                "zeros_like(Q) takes Q's type as well as its shape.",
                "Look at dtype where the array is made, and at int, // and round.",
            ),
            read=(reading.NP_DTYPES, reading.NP_FULL),
            no_model="",
        ),
        models=(
            way({"scale": scalings.into_integers}, only=GIVEN | SCORES),
            way({"scale": scalings.floor_divided}, "divided with //", rank=1, only=GIVEN | SCORES),
            way(
                {"scale": scalings.raises_on_integers},
                "divided in place",
                rank=1,
                only=GIVEN | SCORES,
            ),
        ),
    ),
    Bug(
        card=Card(
            id="half-fill-overflow",
            family="precision and state",
            title="a fill that float16 cannot hold",
            does=(
                "Fills with a number, such as -1e9, that becomes minus infinity in float16 (torch "
                "raises in some calls)."
            ),
            example=(
                "-1e9 in float16  -inf\n"
                "row all masked   [[nan, nan]]\n"
                "fill of -6e4     [[0.50, 0.50]]"
            ),
            hurts=(
                "Nothing fails because of it here. But a row in which every key is masked then "
                "holds minus infinity only, and its softmax is NaN."
            ),
            fix="Take the fill from the type in use, or build the scores in float32.",
            hints=(
                "What is -1e9 in float16, whose largest number is 65504?",
                "Which fill exists in every type that your function may see?",
                "Look at np.finfo (torch: torch.finfo) and its min.",
            ),
            read=(reading.MIXED, reading.NP_FINFO),
            note_only=True,
            no_model="A note about half precision; it never changes a number that is asked about.",
        ),
        models=(),
    ),
    Bug(
        card=Card(
            id="half-min-plus-score",
            family="precision and state",
            title="the smallest number plus a score",
            does=(
                "Adds the smallest number of the dtype to a score, which falls below the smallest "
                "number and becomes minus infinity."
            ),
            example=(
                "float16 minimum   -65504\n"
                "scores            [[-20, 3]]\n"
                "minimum + scores  [[-inf, -65504]]"
            ),
            hurts=(
                "Nothing fails because of it here. In float16 the smallest number is -65504; a "
                "negative score on top overflows, and a row with every key masked may become NaN."
            ),
            fix=(
                "Replace the score by the fill rather than adding to it, or use half of the "
                "smallest number."
            ),
            hints=(
                "What is -65504 + -20 in float16?",
                "Adding leaves the score in; replacing does not.",
                "Look at where or masked_fill in place of +.",
            ),
            read=(reading.NP_FINFO, reading.MIXED),
            note_only=True,
            no_model="A note about half precision; it never changes a number that is asked about.",
        ),
        models=(),
    ),
    Bug(
        card=Card(
            id="mask-dtype-promotes",
            family="precision and state",
            title="the mask changes the type of the scores",
            does=(
                "Adds a float32 mask to half-precision scores, so that all later steps are done in "
                "float32."
            ),
            example=("scores         float16\nmask           float32\nscores + mask  float32"),
            hurts=(
                "Nothing is wrong in the numbers. But memory and time double, and the result has "
                "another type than the input, at which a later layer may raise."
            ),
            fix="Give the mask the type of the scores.",
            hints=(
                "What is the dtype of float16 + float32?",
                "The wider type wins in a sum.",
                (
                    "Look at the dtype with which the mask is made, or at astype (torch: to) "
                    "before the sum."
                ),
            ),
            read=(reading.NP_PROMOTION, reading.T_AMP),
            note_only=True,
            no_model="A note about dtypes; it never changes a number that is asked about.",
        ),
        models=(),
    ),
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
