"""A file of cards that is not in order is said, with its place; it never ends in a traceback."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from attnpack.errors import OwnFaultError
from attnpack.pack.cards import cards_in
from attnpack.pack.texts import Bug

if TYPE_CHECKING:
    from pathlib import Path

CARD = '''
family = "a family"

[an-id]
title = "a title"
does = """
Does it
in two lines."""
example = """
x    [1,  2]
out  [3]"""
hurts = "It hurts."
fix = "Mend it."
hints = ["Why?", "So.", "Look here."]
read = ["a-paper", "A page of its own"]
'''


def written(folder: Path, text: str) -> Path:
    file = folder / "cards.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_prose_is_joined_and_an_example_is_kept(tmp_path: Path) -> None:
    card = cards_in(written(tmp_path, CARD))["an-id"]
    assert card.does == "Does it in two lines."
    assert card.example == "x    [1,  2]\nout  [3]"
    assert (card.family, card.star, card.note_only, card.no_model) == ("a family", False, False, "")


def test_a_word_stands_for_what_the_list_beside_it_says(tmp_path: Path) -> None:
    (tmp_path / "reading.toml").write_text('a-paper = "Somebody 2017"\n', encoding="utf-8")
    card = cards_in(written(tmp_path, CARD))["an-id"]
    assert card.read == ("Somebody 2017", "A page of its own")


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("[an-id]", "[an-id", "is not TOML"),
        ('family = "a family"', "", "does not begin with family"),
        ('fix = "Mend it."', 'fixes = "Mend it."', "fix is missing, fixes is unknown"),
        ('"So.", ', "", "hints are three"),
        ("[an-id]", "an-id = 3\n[other]", "an-id is not a table"),
    ],
)
def test_what_is_not_in_order_is_said_with_the_file(
    tmp_path: Path, right: str, wrong: str, said: str
) -> None:
    file = written(tmp_path, CARD.replace(right, wrong))
    with pytest.raises(OwnFaultError, match=said) as caught:
        cards_in(file)
    assert str(file) in str(caught.value)


def test_a_bug_without_a_card_says_which_file_lacks_it(tmp_path: Path) -> None:
    file = written(tmp_path, CARD)
    with pytest.raises(OwnFaultError, match=r"cards\.toml has no card \[another-id\]"):
        _ = Bug("another-id", cards=file).card
