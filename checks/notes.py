"""Things worth knowing that fail nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnpack.pack.kinds import Note

from . import half_precision
from .gradients import blocked_row_is_nan
from .mask import refuses_views, renormalised, weakly_closed
from .traits import Trait

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attnpack.calls import Transcript

    from .probe import Answered

_TEXTS = {
    "mask-renormalised": (
        "The mask zeroes probabilities and renormalises. That is the same until a masked score "
        "towers over the visible ones: then it divides by zero. Masking the scores never does."
    ),
    "mask-fill-too-small": (
        "The mask closes with a value above -1e9. It still closes under scores of 1e4; -1e9 or "
        "-inf leaves more room."
    ),
    "half-fill-overflow": (
        "In float16 the mask's fill does not fit: the largest float16 is 65504. "
        "torch.finfo(scores.dtype).min or -inf fits every dtype."
    ),
    "half-min-plus-score": (
        "Adding the dtype's minimum to a score overflows to -inf in float16 where the score is "
        "negative. Filling instead of adding does not."
    ),
    "mask-dtype-promotes": (
        "With float16 queries the mask has another dtype and changes that of the scores. "
        "Make the mask in the scores' dtype."
    ),
    "view-on-transposed": (
        "view is called on an argument. It raises where the argument is itself a transpose, as "
        "heads often are; reshape works for both."
    ),
    "gradient-nan": (
        "A query with every key masked gives a finite result here, but its gradient is NaN. "
        "Filling with a large finite negative instead of -inf keeps it finite."
    ),
    "mask-not-a-buffer": (
        "A tensor is kept as a plain attribute, so module.to(device) does not move it. "
        "register_buffer does."
    ),
    "library-softmax": (
        "softmax calls the library's softmax. It is right; writing it once by hand is the exercise."
    ),
    "library-layer-norm": (
        "layer_norm calls the library's layer_norm. It is right; writing it once by hand is the "
        "exercise."
    ),
}
_READY_MADE = (
    (Trait.GIVEN_SCORES, "library", "library-softmax"),
    (Trait.RETURNS_NORMED, "library_norm", "library-layer-norm"),
)
"""what an exercise is to write by hand, and the fact that tells that the library did"""


def notes_of(
    all_answered: Sequence[Answered], transcript: Transcript, *, passed: bool
) -> tuple[Note, ...]:
    """Every note, once each. What a failure may have caused is noted only where all passed."""
    found = dict.fromkeys(_always(all_answered, transcript))
    if passed:
        found |= dict.fromkeys(_where_right(all_answered))
    return tuple(Note(name, _TEXTS.get(name, name)) for name in found)


def _always(all_answered: Sequence[Answered], transcript: Transcript) -> Iterator[str]:
    for answered in all_answered:
        facts = [answer.facts for answer in answered.answers]
        for trait, fact, note in _READY_MADE:
            if answered.probe.exercise.has(trait) and any(each.get(fact) for each in facts):
                yield note
        if answered.build is not None and answered.build.facts.get("plain_tensors"):
            yield "mask-not-a-buffer"
    yield from transcript.notes


def _where_right(all_answered: Sequence[Answered]) -> Iterator[str]:
    if weakly_closed(all_answered):
        yield "mask-fill-too-small"
    if renormalised(all_answered):
        yield "mask-renormalised"
    if blocked_row_is_nan(all_answered) is not None:
        yield "gradient-nan"
    if refuses_views(all_answered):
        yield "view-on-transposed"
    yield from half_precision.noted(all_answered)
