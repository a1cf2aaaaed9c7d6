from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from attnpack.look.commands import SENTENCES, Demo
from attnpack.look.pictures.findings import LOW_LOSS, RIGHT, RIGHT_AS_REFERENCE, Tone, findings
from attnpack.look.pictures.picture import (
    REFERENCE,
    Effect,
    Kind,
    head_to_show,
    is_recovered,
    largest_difference,
    leaked_share,
    panels,
    row_is_off,
    worst_leak,
    worst_row,
)
from attnpack.look.pictures.view import View

if TYPE_CHECKING:
    from collections.abc import Callable

    from attnpack.look.pictures.picture import Picture

    PictureOf = Callable[..., Picture]

SENTENCE = "the cat sat on the mat"


def said(picture: Picture) -> str:
    return "\n".join(finding.text for finding in findings(picture))


def test_right_attention_has_nothing_to_find(picture_of: PictureOf) -> None:
    picture = picture_of(SENTENCE)
    assert worst_leak(picture) is worst_row(picture) is largest_difference(picture) is None
    assert is_recovered(picture)
    (finding,) = findings(picture)
    assert (finding.tone, finding.text) == (Tone.GOOD, RIGHT_AS_REFERENCE)


def test_the_reference_is_not_compared_with_itself(picture_of: PictureOf) -> None:
    (finding,) = findings(replace(picture_of(SENTENCE), source=REFERENCE))
    assert finding.text == RIGHT


def test_a_leak_is_measured_and_its_worst_place_named(picture_of: PictureOf) -> None:
    picture = picture_of(SENTENCE, "unmasked")
    leak = worst_leak(picture)
    assert leak is not None
    assert leak.key > leak.query
    assert leak.value == picture.weights[leak.layer, leak.head, leak.query, leak.key]
    future = np.triu(picture.weights, k=1)
    assert leaked_share(picture) == pytest.approx(future.sum() / picture.weights.sum())
    assert f"LEAK: {leaked_share(picture):.1%}" in said(picture)
    assert f'key {leak.key} "{picture.tokens[leak.key]}"' in said(picture)


def test_a_row_that_does_not_sum_to_one_is_named(picture_of: PictureOf) -> None:
    picture = picture_of(SENTENCE, "masked after softmax")
    row = worst_row(picture)
    assert row is not None
    assert row.value == pytest.approx(picture.weights[row.layer, row.head, row.query].sum())
    assert f"sums to {row.value:.3f}" in said(picture)
    assert worst_leak(picture) is None


def test_missing_scaling_shows_only_as_a_difference(picture_of: PictureOf) -> None:
    picture = picture_of(SENTENCE, "unscaled")
    assert worst_leak(picture) is worst_row(picture) is None
    place = largest_difference(picture)
    assert place is not None
    difference = np.abs(picture.weights - picture.reference)
    assert place.value == difference.max()


def test_weights_that_are_none_are_called_so(picture_of: PictureOf) -> None:
    assert "not these weights times the values" in said(picture_of(SENTENCE, "merged by reshape"))


def test_numbers_that_are_not_finite_are_found_and_not_hidden(picture_of: PictureOf) -> None:
    picture = picture_of(SENTENCE)
    weights = picture.weights.copy()
    weights[1, 2, 3] = np.nan
    broken = replace(picture, weights=weights, residues=(0.0, np.nan))
    row = worst_row(broken)
    assert row is not None
    assert (row.layer, row.head, row.query) == (1, 2, 3)
    assert not is_recovered(broken)


def test_attention_that_gives_no_numbers_is_drawn_and_called_so(picture_of: PictureOf) -> None:
    picture = picture_of(SENTENCE, "not finite")
    assert np.isnan(picture.weights).all()
    assert 'the output is not finite: first at L0H0, query 0 "<s>"' in said(picture)
    assert worst_leak(picture) is None


def test_a_row_sum_within_rounding_is_not_off() -> None:
    assert list(row_is_off(np.array([1.0, 1.0005, 1.01, 0.0]))) == [False, False, True, True]


def test_a_loss_below_the_references_is_explained(picture_of: PictureOf) -> None:
    effect = Effect(0.1, 0.7, "and slept", "and slept")
    assert LOW_LOSS in said(replace(picture_of(SENTENCE, "unmasked"), effect=effect))


def test_both_continuations_are_told_where_they_differ(picture_of: PictureOf) -> None:
    effect = Effect(3.0, 0.7, "of of of", "and slept")
    text = said(replace(picture_of(SENTENCE), effect=effect))
    assert "it goes on: of of of" in text
    assert "the reference goes on: and slept" in text


@pytest.mark.parametrize(
    ("view", "titles"),
    [
        (View(layer=1, head=2), ["L1H2 {kind} {score}"]),
        (View(mean=True), ["L0 mean of 4 heads", "L1 mean of 4 heads"]),
        (View(head=2), ["L0H2 {kind} {score}", "L1H2 {kind} {score}"]),
    ],
)
def test_a_view_chooses_the_panels(picture_of: PictureOf, view: View, titles: list[str]) -> None:
    picture = picture_of(SENTENCE)
    of_head = {head.name: head.character for head in picture.heads}

    def filled(title: str) -> str:
        kind, score = of_head.get(title[:4], ("", 0.0))
        return title.format(kind=kind, score=f"{score:.2f}")

    assert [panel.title for panel in panels(picture, view)] == [filled(title) for title in titles]


def test_without_a_choice_there_is_a_panel_for_each_head(picture_of: PictureOf) -> None:
    assert len(panels(picture_of(SENTENCE), View())) == 8


def test_a_difference_is_yours_minus_the_reference_where_it_is_largest(
    picture_of: PictureOf,
) -> None:
    picture = picture_of(SENTENCE, "unscaled")
    place = largest_difference(picture)
    yours, right, difference = panels(picture, View(diff=True))
    assert place is not None
    assert yours.title == f"L{place.layer}H{place.head} yours"
    assert difference.kind is Kind.DIFFERENCE
    np.testing.assert_array_equal(difference.weights, yours.weights - right.weights)


def test_the_demos_show_the_head_they_are_for(picture_of: PictureOf) -> None:
    picture = picture_of(SENTENCE)
    for kind in ("previous-token", "induction"):
        assert head_to_show(picture, kind).character[0] == kind


def test_an_induction_head_finds_what_followed_last_time(picture_of: PictureOf) -> None:
    picture = picture_of(SENTENCES[Demo.INDUCTION])
    head = head_to_show(picture, "induction")
    last = picture.weights[head.layer, head.head, -1]
    assert picture.tokens[-1] == "miss"
    assert int(last.argmax()) == picture.tokens.index("miss") + 1
    assert last.max() > 0.9


def test_letters_that_the_font_lacks_are_told_and_others_are_not() -> None:
    from attnpack.look.rendering.lettering import lacking

    assert lacking("the cat Σ…é") == []
    assert lacking("日 the 🎉 日") == ["日", "🎉"]
