"""What a picture shows, in sentences: the same ones in the terminal, the page and the images."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum, auto

import numpy as np

from attnpack.look.pictures.picture import (
    Effect,
    Picture,
    Place,
    is_recovered,
    largest_difference,
    leaked_share,
    worst_leak,
    worst_row,
)


class Tone(Enum):
    """Whether a finding is good news. Renderers add a mark, never colour alone."""

    GOOD = auto()
    BAD = auto()
    PLAIN = auto()


MARKS = {Tone.GOOD: "ok", Tone.BAD: "!!", Tone.PLAIN: "--"}


@dataclass(frozen=True)
class Finding:
    """One sentence."""

    tone: Tone
    text: str


def findings(picture: Picture) -> tuple[Finding, ...]:
    """The headline and what follows it, the worst first."""
    found = [*_mask(picture), *_rows(picture)]
    if np.isfinite(picture.weights).all():
        found += [*_difference(picture), *_unrecovered(picture)]
    if not any(finding.tone is Tone.BAD for finding in found):
        found = [Finding(Tone.GOOD, RIGHT_AS_REFERENCE if picture.is_learners else RIGHT)]
    found += [Finding(Tone.BAD, line) for line in picture.diagnosis]
    return (*found, *_effect(picture.effect))


def place_in_words(picture: Picture, place: Place) -> str:
    """L0H2, query 3 "sat", key 5 "the"."""
    query, key = picture.tokens[place.query], picture.tokens[place.key]
    return f'L{place.layer}H{place.head}, query {place.query} "{query}", key {place.key} "{key}"'


def _mask(picture: Picture) -> list[Finding]:
    leak = worst_leak(picture)
    if leak is None:
        return []
    share = f"{leaked_share(picture):.1%} of all weight lies on the future"
    worst = f"the most at {place_in_words(picture, leak)}: {leak.value:.2f}"
    return [Finding(Tone.BAD, f"LEAK: {share}; {worst}")]


def _rows(picture: Picture) -> list[Finding]:
    row = worst_row(picture)
    if row is None:
        return []
    token = picture.tokens[row.query]
    if not math.isfinite(row.value):
        place = f'L{row.layer}H{row.head}, query {row.query} "{token}"'
        return [Finding(Tone.BAD, f"the output is not finite: first at {place}")]
    text = (
        f"a row does not sum to 1: L{row.layer}H{row.head}, query {row.query} "
        f'"{token}" sums to {row.value:.3f}'
    )
    return [Finding(Tone.BAD, text)]


def _difference(picture: Picture) -> list[Finding]:
    place = largest_difference(picture)
    if place is None:
        return []
    yours = picture.weights[place.layer, place.head, place.query, place.key]
    right = picture.reference[place.layer, place.head, place.query, place.key]
    text = (
        f"farthest from the reference at {place_in_words(picture, place)}: "
        f"yours {yours:.2f}, reference {right:.2f} (see it with --diff)"
    )
    return [Finding(Tone.BAD, text)]


def _unrecovered(picture: Picture) -> list[Finding]:
    if is_recovered(picture):
        return []
    worst = max(picture.residues)
    text = (
        "the output is not these weights times the values: it differs by "
        f"{worst:.0%} of its largest number. Heads may be split, joined or projected "
        "otherwise; the picture shows how far each key moves each query"
    )
    return [Finding(Tone.BAD, text)]


def _effect(effect: Effect | None) -> list[Finding]:
    if effect is None:
        return []
    loss = (
        f"loss on held-out stories {loss_in_words(effect.loss)}, "
        f"the reference's {effect.reference_loss:.2f} (lower predicts better)"
    )
    found = [Finding(Tone.PLAIN, loss)]
    if effect.loss < effect.reference_loss - 0.05:
        found.append(Finding(Tone.BAD, LOW_LOSS))
    if effect.continuation == effect.reference_continuation:
        found.append(Finding(Tone.PLAIN, f"it goes on: {effect.continuation}"))
    else:
        found.append(Finding(Tone.PLAIN, f"it goes on: {effect.continuation}"))
        found.append(Finding(Tone.PLAIN, f"the reference goes on: {effect.reference_continuation}"))
    return found


def loss_in_words(loss: float) -> str:
    """Two decimals, or what a loss that is no number means."""
    return f"{loss:.2f}" if math.isfinite(loss) else "not a number: the output is not finite"


RIGHT = "no weight on the future, and every row sums to 1"
RIGHT_AS_REFERENCE = f"{RIGHT}; every weight agrees with the reference's"
LOW_LOSS = (
    "a loss below the reference's is no good news: the model sees the words that it is to predict"
)
