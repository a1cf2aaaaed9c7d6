"""Any text has tokens, and what can be spelt comes back."""

from __future__ import annotations

import re
import sys
import unicodedata

from effort import TIMES, examples
from hypothesis import example, given
from hypothesis import strategies as st

from attnpack.look.model import host_model
from attnpack.look.model.tokenizer import CONTINUES, FOREIGN, START, parts

TOKENIZER = host_model.load().tokenizer
INVISIBLE = {"Cc", "Cf", "Cs", "Mn", "Me", "Zl", "Zp"}

english = st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyz'’ .,;!?-0123456789\n"), max_size=60)
odd = st.text(
    st.sampled_from("ŉǅßſıİŁøÆﬁ①Ⓐ𝐀ａ’‘ʼ'##<s>?Ǆ\u0345\u0301\u00ad\u200d\ufe0f🐈猫ا۱"), max_size=20
)
texts = st.text() | english | odd


def spelt(text: str) -> str:
    """What the documentation promises: words and marks, lower case, what is foreign as one sign."""
    words = []
    for token in TOKENIZER.tokens(text):
        word = FOREIGN if TOKENIZER.vocabulary[token.id] == FOREIGN else token.text
        words.append(word)
    return " ".join(words).replace(f" {CONTINUES}", "")


@examples(400)
@given(texts)
@example("ŉ")
@example("don''t '' 'a")
@example("## ##a a##")
@example(f"{START} {FOREIGN} ##")
@example("\ud800")
@example("İstanbul ﬁn ǅ ß ſ ª º ½")
@example("a" * 2000)
def test_every_text_has_tokens_that_a_picture_can_label(text: str) -> None:
    tokens = TOKENIZER.tokens(text)
    assert TOKENIZER.start.id not in [token.id for token in tokens]
    for token in tokens:
        _is_right(token.text, TOKENIZER.vocabulary[token.id])
    assert TOKENIZER.decode(TOKENIZER.encode(text)) == spelt(text)


def _is_right(label: str, entry: str) -> None:
    assert entry in (label, FOREIGN)
    assert label
    assert label.split() == [label]
    assert not any(unicodedata.category(character) in INVISIBLE for character in label)


@examples(300)
@given(texts)
def test_what_is_read_back_is_read_alike(text: str) -> None:
    ids = TOKENIZER.encode(text)
    foreign = TOKENIZER.vocabulary.index(FOREIGN)
    if foreign not in ids:
        assert TOKENIZER.encode(TOKENIZER.decode(ids)) == ids


@examples(200)
@given(st.lists(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=12), max_size=8))
def test_words_of_latin_letters_come_back_whole(words: list[str]) -> None:
    assert TOKENIZER.decode(TOKENIZER.encode(" ".join(words))) == " ".join(words)
    assert TOKENIZER.encode(" ".join(words).upper()) == TOKENIZER.encode(" ".join(words))


@examples(200)
@given(texts)
def test_nothing_visible_is_dropped(text: str) -> None:
    assert re.sub(r"\s", "", "".join(parts(text))) == "".join(parts(text))
    letters = [c for c in text if unicodedata.category(c) in ("Ll", "Lu", "Nd", "So")]
    assert bool(parts(text)) >= bool(letters)


def test_every_character_alone_and_after_a_letter_has_tokens() -> None:
    step = 1 if TIMES > 1 else 37
    for code in (*range(0x250), *range(0x250, sys.maxunicode + 1, step)):
        for text in (chr(code), f"a{chr(code)}'{chr(code)}"):
            for token in TOKENIZER.tokens(text):
                _is_right(token.text, TOKENIZER.vocabulary[token.id])
