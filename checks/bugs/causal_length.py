"""Bugs of causal masks that hold for some lengths and shapes only."""

from __future__ import annotations

from attnpack.pack.texts import Bug, Card

from ..steps import seeing
from . import reading
from .ways import CLASSES, WITH_LENGTH, Fitted, Quantity, way

BUGS = (
    Bug(
        card=Card(
            id="causal-only-with-mask",
            family="causal",
            title="causal only if there is another mask",
            does="Masks the future only when another mask is given as well.",
            example=(
                "scores     all 0, three tokens\n"
                "right      [[1.00, 0.00, 0.00], [0.50, 0.50, 0.00], [0.33, 0.33, 0.33]]\n"
                "with mask  [[1.00, 0.00, 0.00], [0.50, 0.50, 0.00], [0.33, 0.33, 0.33]]\n"
                "mask=None  [[0.33, 0.33, 0.33], [0.33, 0.33, 0.33], [0.33, 0.33, 0.33]]"
            ),
            hurts=(
                "Without padding there is often no mask at all, and then the model sees the "
                "future. It shows up as a perfect loss on the plain batches."
            ),
            fix=(
                "The two masks are independent. Make the causal one in any case and join the other "
                "to it where there is one."
            ),
            hints=(
                "What does your code do with causal=True and no other mask?",
                "Is the causal branch inside the branch for the given mask?",
                'Look at the indentation below "if mask is not None".',
            ),
            read=(reading.DECODER, reading.T_SDPA),
            equals=("causal-missing",),
            no_model="",
        ),
        models=(way({"see": seeing.never}, rank=2, paired=False, only=CLASSES),),
    ),
    Bug(
        card=Card(
            id="causal-buffer-broadcasts",
            family="causal",
            title="a stored mask that broadcasts",
            does=(
                "Adds a stored mask that is too small, which broadcasting stretches over all the "
                "scores."
            ),
            example=(
                "scores    all 0, three tokens\n"
                "stored    [[0]]\n"
                "right     [[1.00, 0.00, 0.00], [0.50, 0.50, 0.00], [0.33, 0.33, 0.33]]\n"
                "this bug  [[0.33, 0.33, 0.33], [0.33, 0.33, 0.33], [0.33, 0.33, 0.33]]"
            ),
            hurts=(
                "A mask made for one token is a single 0. Stretched over the table it hides "
                "nothing, and no error is raised: the model sees the future."
            ),
            fix=(
                "Make the mask for the length at hand, or store a large one and cut out the square "
                "you need."
            ),
            hints=(
                "What is the shape of your stored mask, and what is the shape of the scores?",
                "A size of 1 fits every size. That is broadcasting's kindness and its danger.",
                "Look at where the mask is made: with the length of the present input?",
            ),
            read=(reading.NP_BROADCAST, reading.NANOGPT),
            equals=("causal-missing",),
            no_model="",
        ),
        models=(way({"see": seeing.never}, rank=3, paired=False, only=CLASSES),),
    ),
    Bug(
        card=Card(
            id="causal-horizon",
            family="causal",
            title="causal up to some length only",
            does="Masks correctly up to some length and leaves everything beyond it open.",
            example=(
                "scores     all 0, three tokens\n"
                "built for  2\n"
                "right      [[1.00, 0.00, 0.00], [0.50, 0.50, 0.00], [0.33, 0.33, 0.33]]\n"
                "this bug   [[0.50, 0.00, 0.50], [0.33, 0.33, 0.33], [0.33, 0.33, 0.33]]"
            ),
            hurts=(
                "Short tests pass. In a longer text, tokens beyond the limit see the future, and "
                "even the first ones see whatever lies beyond it."
            ),
            fix=(
                "Let the mask follow the length of the input, or refuse inputs longer than the "
                "mask."
            ),
            hints=(
                "For how many tokens is your mask right?",
                "Is there a fixed number, such as a block size, in the mask or in a slice?",
                (
                    "Look at how the mask is cut to (T, T) and at what happens when T is larger "
                    "than it."
                ),
            ),
            read=(reading.NANOGPT, reading.DECODER),
            equals=("causal-missing",),
            no_model="",
        ),
        models=(
            Fitted(
                Quantity.HORIZON,
                lambda n: way(
                    {"see": seeing.causal(seeing.open_below(int(n)))},
                    f"{int(n)} tokens",
                    rank=1,
                    paired=False,
                    only=WITH_LENGTH,
                ),
            ),
            Fitted(
                Quantity.HORIZON,
                lambda n: way(
                    {"see": seeing.causal(seeing.open_outside(int(n)))},
                    f"{int(n)} tokens",
                    rank=1,
                    paired=False,
                    only=WITH_LENGTH,
                ),
            ),
            Fitted(
                Quantity.HORIZON,
                lambda n: way(
                    {"see": seeing.causal(seeing.open_columns(int(n)))},
                    f"{int(n)} keys",
                    rank=1,
                    paired=False,
                    only=WITH_LENGTH,
                ),
            ),
            Fitted(
                Quantity.HORIZON,
                lambda n: way(
                    {"see": seeing.causal(seeing.open_when_longer(int(n)))},
                    f"no mask beyond {int(n)} tokens",
                    rank=1,
                    paired=False,
                    only=CLASSES,
                ),
            ),
            Fitted(
                Quantity.HORIZON,
                lambda n: way(
                    {"see": seeing.causal(seeing.raises_when_longer(int(n)))},
                    f"raises beyond {int(n)} tokens",
                    rank=1,
                    paired=False,
                    only=CLASSES,
                ),
            ),
            Fitted(
                Quantity.HORIZON,
                lambda n: way(
                    {"see": seeing.causal(seeing.window(int(n)))},
                    f"sees only {int(n)} tokens back",
                    rank=2,
                    paired=False,
                    only=WITH_LENGTH,
                ),
            ),
        ),
    ),
    Bug(
        card=Card(
            id="causal-length-frozen",
            family="causal",
            title="a mask kept from the first length",
            does="Keeps the mask of the first call and uses it again for inputs of other lengths.",
            example=(
                "mask kept from call 1  (2, 2)\n"
                "scores of call 2       (3, 3)\n"
                "their sum              ValueError"
            ),
            hurts=(
                "The next input of another length raises, or gets a mask of the wrong size if "
                "broadcasting allows it. In training it appears with the last, shorter batch; in "
                "generation with the second token."
            ),
            fix=(
                "Make the mask at each call, or check that the kept one still fits before you use "
                "it."
            ),
            hints=(
                "Call your object with two tokens and then with three. What happens?",
                "What is kept on self must be right for every later call.",
                'Look at "if self.mask is None": it should also ask about the length.',
            ),
            read=(reading.NANOGPT, reading.NP_BROADCAST),
            no_model="",
        ),
        models=(
            way({"see": seeing.frozen(cut=False)}, only=CLASSES, stateful=True, paired=False),
            way(
                {"see": seeing.frozen(cut=True)},
                "cut to shorter lengths",
                only=CLASSES,
                stateful=True,
                paired=False,
                rank=1,
            ),
            way(
                {"see": seeing.frozen_open_beyond},
                "open beyond the first length",
                only=CLASSES,
                stateful=True,
                paired=False,
                rank=1,
            ),
            way(
                {"see": seeing.frozen_by_object},
                "the mask of the first length of all",
                only=CLASSES,
                stateful=True,
                paired=False,
                rank=1,
            ),
        ),
    ),
)
