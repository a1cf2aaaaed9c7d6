"""Layer norm step by step, and what bugs put in place of a step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attnpack.pack.lazy import LazyModule

if TYPE_CHECKING:
    import numpy as np

    from attnpack.diagnosis.models import State, Step

    from .right import Steps
else:
    np = LazyModule("numpy")

FEATURES = -1
TOKENS = -2
SAMPLE = (-2, -1)
EVERYTHING = None


def average(state: State) -> None:
    """The mean of each token (..., 1)."""
    state["mean"] = state["x"].mean(axis=-1, keepdims=True)


def centre(state: State) -> None:
    """Each token less its mean (..., D)."""
    state["centred"] = state["x"] - state["mean"]


def spread(state: State) -> None:
    """The mean square of each centred token, by D (..., 1)."""
    state["variance"] = np.mean(state["centred"] ** 2, axis=-1, keepdims=True)


def root(state: State) -> None:
    """sqrt(variance + eps) (..., 1)."""
    state["deviation"] = np.sqrt(state["variance"] + state["eps"])


def standardise(state: State) -> None:
    """Centred over deviation (..., D)."""
    state["standardised"] = state["centred"] / state["deviation"]


def stretch(state: State) -> None:
    """Times gain (..., D)."""
    state["stretched"] = state["gain"] * state["standardised"]


def move(state: State) -> None:
    """Plus bias (..., D)."""
    state["normed"] = state["stretched"] + state["bias"]


NORM: Steps = (
    ("average", average),
    ("centre", centre),
    ("spread", spread),
    ("root", root),
    ("standardise", standardise),
    ("stretch", stretch),
    ("move", move),
)


def average_along(axis: Any) -> Step:
    """The mean along other axes than the features'."""

    def step(state: State) -> None:
        state["mean"] = np.mean(state["x"], axis=axis, keepdims=True)

    return step


def spread_along(axis: Any) -> Step:
    """The mean square along other axes."""

    def step(state: State) -> None:
        state["variance"] = np.mean(state["centred"] ** 2, axis=axis, keepdims=True)

    return step


def spread_unbiased(state: State) -> None:
    """Divided by D - 1."""
    squares = np.sum(state["centred"] ** 2, axis=-1, keepdims=True)  # (..., 1)
    state["variance"] = squares / (state["x"].shape[-1] - 1)


def eps_outside(state: State) -> None:
    """sqrt(variance) + eps."""
    state["deviation"] = np.sqrt(state["variance"]) + state["eps"]


def eps_missing(state: State) -> None:
    """sqrt(variance)."""
    state["deviation"] = np.sqrt(state["variance"])


def eps_of_its_own(number: float) -> Step:
    """sqrt(variance + a constant), whatever is given."""

    def step(state: State) -> None:
        state["deviation"] = np.sqrt(state["variance"] + number)

    return step


def no_root(state: State) -> None:
    """The variance itself, with eps."""
    state["deviation"] = state["variance"] + state["eps"]


def no_root_and_no_eps(state: State) -> None:
    """The variance itself."""
    state["deviation"] = state["variance"]


def not_centred(state: State) -> None:
    """The token as it is, also under the square (RMS norm's way)."""
    state["centred"] = state["x"]


def mean_kept(state: State) -> None:
    """The token as it is over its deviation from the mean."""
    state["standardised"] = state["x"] / state["deviation"]


def not_stretched(state: State) -> None:
    """Without gain."""
    state["stretched"] = state["standardised"]


def not_moved(state: State) -> None:
    """Without bias."""
    state["normed"] = state["stretched"]


def gain_on_tokens(state: State) -> None:
    """Gain i on token i."""
    state["stretched"] = state["gain"][:, None] * state["standardised"]


def bias_on_tokens(state: State) -> None:
    """Bias i on token i."""
    state["normed"] = state["stretched"] + state["bias"][:, None]
