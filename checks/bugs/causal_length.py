"""Bugs of causal masks that hold for some lengths and shapes only."""

from __future__ import annotations

from ..steps import seeing
from .entry import Entry
from .ways import ATTENDS_CAUSALLY, MAKES_CAUSAL_MASK, Fitted, Quantity, way

BUGS = (
    Entry(
        "causal-only-with-mask",
        models=(way({"see": seeing.never}, rank=2, paired=False, needs=ATTENDS_CAUSALLY),),
        equals=("causal-missing",),
    ),
    Entry(
        "causal-buffer-broadcasts",
        models=(way({"see": seeing.never}, rank=3, paired=False, needs=ATTENDS_CAUSALLY),),
        equals=("causal-missing",),
    ),
    Entry(
        "causal-horizon",
        models=(
            Fitted(
                Quantity.HORIZON,
                lambda n: way(
                    {"see": seeing.causal(seeing.open_below(int(n)))},
                    f"{int(n)} tokens",
                    rank=1,
                    paired=False,
                    needs=MAKES_CAUSAL_MASK,
                ),
            ),
            Fitted(
                Quantity.HORIZON,
                lambda n: way(
                    {"see": seeing.causal(seeing.open_outside(int(n)))},
                    f"{int(n)} tokens",
                    rank=1,
                    paired=False,
                    needs=MAKES_CAUSAL_MASK,
                ),
            ),
            Fitted(
                Quantity.HORIZON,
                lambda n: way(
                    {"see": seeing.causal(seeing.open_columns(int(n)))},
                    f"{int(n)} keys",
                    rank=1,
                    paired=False,
                    needs=MAKES_CAUSAL_MASK,
                ),
            ),
            Fitted(
                Quantity.HORIZON,
                lambda n: way(
                    {"see": seeing.causal(seeing.open_when_longer(int(n)))},
                    f"no mask beyond {int(n)} tokens",
                    rank=1,
                    paired=False,
                    needs=ATTENDS_CAUSALLY,
                ),
            ),
            Fitted(
                Quantity.HORIZON,
                lambda n: way(
                    {"see": seeing.causal(seeing.raises_when_longer(int(n)))},
                    f"raises beyond {int(n)} tokens",
                    rank=1,
                    paired=False,
                    needs=ATTENDS_CAUSALLY,
                ),
            ),
            Fitted(
                Quantity.HORIZON,
                lambda n: way(
                    {"see": seeing.causal(seeing.window(int(n)))},
                    f"sees only {int(n)} tokens back",
                    rank=2,
                    paired=False,
                    needs=MAKES_CAUSAL_MASK,
                ),
            ),
        ),
        equals=("causal-missing",),
    ),
    Entry(
        "causal-length-frozen",
        models=(
            way(
                {"see": seeing.frozen(cut=False)},
                needs=ATTENDS_CAUSALLY,
                stateful=True,
                paired=False,
            ),
            way(
                {"see": seeing.frozen(cut=True)},
                "cut to shorter lengths",
                needs=ATTENDS_CAUSALLY,
                stateful=True,
                paired=False,
                rank=1,
            ),
            way(
                {"see": seeing.frozen_open_beyond},
                "open beyond the first length",
                needs=ATTENDS_CAUSALLY,
                stateful=True,
                paired=False,
                rank=1,
            ),
            way(
                {"see": seeing.frozen_by_object},
                "the mask of the first length of all",
                needs=ATTENDS_CAUSALLY,
                stateful=True,
                paired=False,
                rank=1,
            ),
        ),
    ),
)
