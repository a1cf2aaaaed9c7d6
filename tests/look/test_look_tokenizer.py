from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnpack.look.model import host_model
from attnpack.look.model.tokenizer import FOREIGN, START, Tokenizer
from attnpack.look.texts import grammar

if TYPE_CHECKING:
    from attnpack.look.model.host_model import HostModel

EVERYDAY = """The weather was nice on Monday, so my brother and I went to the park after school.
We saw an old man with a small dog, and he said that he had lost his key. "Where did you see it
last?" I asked."""


def words(model: HostModel, text: str) -> list[str]:
    return [token.text for token in model.tokenizer.tokens(text)]


def test_known_words_are_whole_and_lower_case(model: HostModel) -> None:
    assert words(model, "The cat sat on the mat.") == ["the", "cat", "sat", "on", "the", "mat", "."]


def test_an_unknown_word_is_cut_into_pieces_that_spell_it(model: HostModel) -> None:
    pieces = words(model, "internationalization")
    assert len(pieces) > 1
    assert all(piece.startswith("##") for piece in pieces[1:])
    assert model.tokenizer.decode(model.tokenizer.encode("Zyzzyva")) == "zyzzyva"


@pytest.mark.parametrize("text", ["🐈", "猫", "∑", "кошка"])
def test_what_has_no_letters_here_is_one_foreign_token_that_keeps_its_look(
    model: HostModel, text: str
) -> None:
    (token,) = model.tokenizer.tokens(text)
    assert model.tokenizer.vocabulary[token.id] == FOREIGN
    assert token.text == text


def test_accents_come_off_and_curly_quotes_are_straight(model: HostModel) -> None:
    assert model.tokenizer.encode("don’t") == model.tokenizer.encode("don't")
    assert model.tokenizer.encode("café") == model.tokenizer.encode("cafe")


def test_an_emoji_with_joiners_and_selectors_has_no_invisible_tokens(model: HostModel) -> None:
    assert words(model, "❤️ 👩\u200d💻") == ["❤", "👩", "💻"]


@given(st.text())
def test_every_text_has_tokens_and_every_word_an_id(text: str) -> None:
    tokenizer = host_model.load().tokenizer
    for token in tokenizer.tokens(text):
        assert 0 <= token.id < len(tokenizer.vocabulary)
        assert token.text.strip() == token.text != ""


def test_everyday_english_is_mostly_whole_words(model: HostModel) -> None:
    pieces = words(model, EVERYDAY)
    assert sum(piece.startswith("##") for piece in pieces) <= 0.1 * len(pieces)


def test_every_word_of_our_stories_is_one_token(model: HostModel) -> None:
    for word in grammar.shipped().words():
        assert len(model.tokenizer.encode(word)) == 1


def test_control_characters_never_reach_a_label(model: HostModel) -> None:
    assert "\x1b" not in "".join(words(model, "the \x1b[31m cat \u202e"))


def test_the_start_mark_is_never_made_out_of_text(model: HostModel) -> None:
    assert model.tokenizer.start.id not in model.tokenizer.encode(START)


def test_tokenizing_needs_no_numpy() -> None:
    code = "import sys, attnpack.look.model.tokenizer; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_tokenizer_of_another_vocabulary_counts_from_its_own_first_word() -> None:
    assert Tokenizer([START, FOREIGN, "a", "##a"]).encode("aa") == [2, 3]
