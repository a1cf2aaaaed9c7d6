"""Bugs of causal masks that hold for some lengths and shapes only."""

from __future__ import annotations

from ..steps import seeing
from .entry import Entry
from .ways import ATTENDS_CAUSALLY, MAKES_CAUSAL_MASK, Fitted, Quantity, rare

BUGS = (
    Entry(
        "causal-only-with-mask",
        models=(rare({"see": seeing.never}, rank=2, needs=ATTENDS_CAUSALLY),),
        equals=("causal-missing",),
    ),
    Entry(
        "causal-buffer-broadcasts",
        models=(rare({"see": seeing.never}, rank=3, needs=ATTENDS_CAUSALLY),),
        equals=("causal-missing",),
    ),
    Entry(
        "causal-horizon",
        raises_in=("masked_fill", "where", "masked_fill_"),
        models=(
            Fitted(
                Quantity.HORIZON,
                lambda n: rare(
                    {"see": seeing.causal(seeing.open_below(int(n)))},
                    f"{int(n)} tokens",
                    needs=MAKES_CAUSAL_MASK,
                ),
            ),
            Fitted(
                Quantity.HORIZON,
                lambda n: rare(
                    {"see": seeing.causal(seeing.open_outside(int(n)))},
                    f"{int(n)} tokens",
                    needs=MAKES_CAUSAL_MASK,
                ),
            ),
            Fitted(
                Quantity.HORIZON,
                lambda n: rare(
                    {"see": seeing.causal(seeing.open_columns(int(n)))},
                    f"{int(n)} keys",
                    needs=MAKES_CAUSAL_MASK,
                ),
            ),
            Fitted(
                Quantity.HORIZON,
                lambda n: rare(
                    {"see": seeing.causal(seeing.open_when_longer(int(n)))},
                    f"no mask beyond {int(n)} tokens",
                    needs=ATTENDS_CAUSALLY,
                ),
            ),
            Fitted(
                Quantity.HORIZON,
                lambda n: rare(
                    {"see": seeing.causal(seeing.raises_when_longer(int(n)))},
                    f"raises beyond {int(n)} tokens",
                    needs=ATTENDS_CAUSALLY,
                ),
            ),
            Fitted(
                Quantity.HORIZON,
                lambda n: rare(
                    {"see": seeing.causal(seeing.window(int(n)))},
                    f"sees only {int(n)} tokens back",
                    rank=2,
                    needs=MAKES_CAUSAL_MASK,
                ),
            ),
        ),
        equals=("causal-missing",),
    ),
    Entry(
        "causal-length-frozen",
        raises_in=("masked_fill", "where", "masked_fill_"),
        needs=ATTENDS_CAUSALLY,
        models=(
            rare({"see": seeing.frozen(cut=False)}, rank=0, stateful=True),
            rare({"see": seeing.frozen(cut=True)}, "cut to shorter lengths", stateful=True),
            rare({"see": seeing.frozen_open_beyond}, "open beyond the first length", stateful=True),
            rare(
                {"see": seeing.frozen_by_object},
                "the mask of the first length of all",
                stateful=True,
            ),
        ),
    ),
)
