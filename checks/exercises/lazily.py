"""What exercises are asked with, imported at the first use.

`attnpack list` reads an exercise's texts and must not pay for numpy or for any of these.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnpack.pack.lazy import LazyModule

if TYPE_CHECKING:
    import numpy as np

    from .. import causal, designed, gradients, half_precision, mask, reach, row_sums, train_mode
    from . import attending, projecting
else:
    np = LazyModule("numpy")
    causal = LazyModule("..causal", __package__)
    designed = LazyModule("..designed", __package__)
    gradients = LazyModule("..gradients", __package__)
    half_precision = LazyModule("..half_precision", __package__)
    mask = LazyModule("..mask", __package__)
    reach = LazyModule("..reach", __package__)
    row_sums = LazyModule("..row_sums", __package__)
    train_mode = LazyModule("..train_mode", __package__)
    attending = LazyModule(".attending", __package__)
    projecting = LazyModule(".projecting", __package__)

__all__ = [
    "attending",
    "causal",
    "designed",
    "gradients",
    "half_precision",
    "mask",
    "np",
    "projecting",
    "reach",
    "row_sums",
    "train_mode",
]
