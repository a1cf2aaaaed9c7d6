"""Words and pieces of words. Every text has tokens: nothing is refused.

Lower-case words that the vocabulary holds are one token. Other words are cut, longest match
first, into a beginning and `##` continuations, down to single letters. A word of another
script, a caseless letter (CJK, Arabic ...), an emoji and a rare symbol are one `<?>` each; their
own spelling is kept in `Token.text`, so that a picture still shows them.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

START = "<s>"
"""before every text"""
FOREIGN = "<?>"
"""what the vocabulary has no letters for"""
CONTINUES = "##"

_SPELT = str.maketrans(
    {"‘": "'", "’": "'", "“": '"', "”": '"', "«": '"', "»": '"', "–": "-", "—": "-"}
    | {"æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ł": "l", "ð": "d", "þ": "th"}
)
_INVISIBLE = {"Mn", "Me", "Cf", "Cc", "Cs", "Sk"}
_PARTS = re.compile(r"[a-z]+(?:'[a-z]+)*|[^\W\d_a-z]+|\S")


@dataclass(frozen=True)
class Token:
    """One position of the model's input."""

    id: int
    text: str
    """as a picture labels it: the vocabulary's spelling, or the writer's where that is `<?>`"""


class Tokenizer:
    """Text to token ids and back, for one vocabulary."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self.vocabulary = tuple(vocabulary)
        self._ids = {word: number for number, word in enumerate(self.vocabulary)}
        self._longest = max(len(word) for word in self.vocabulary)

    def tokens(self, text: str) -> list[Token]:
        """The tokens of a text, without the start mark."""
        return [token for part in parts(text) for token in self._part(part)]

    def encode(self, text: str) -> list[int]:
        """The token ids of a text, without the start mark."""
        return [token.id for token in self.tokens(text)]

    @property
    def start(self) -> Token:
        """The mark before every text."""
        return Token(self._ids[START], START)

    def decode(self, ids: Iterable[int]) -> str:
        """The words of token ids, pieces joined, with a space between words."""
        return " ".join(self.vocabulary[i] for i in ids).replace(f" {CONTINUES}", "")

    def _part(self, part: str) -> Iterator[Token]:
        if part in self._ids:
            yield Token(self._ids[part], part)
        elif part[0].isascii() and part[0].isalpha():
            yield from self._pieces(part)
        elif part.islower():
            yield Token(self._ids[FOREIGN], part)
        else:
            for character in part:
                yield Token(self._ids.get(character, self._ids[FOREIGN]), character)

    def _pieces(self, word: str) -> Iterator[Token]:
        start = 0
        while start < len(word):
            mark = CONTINUES if start else ""
            for end in range(min(len(word), start + self._longest), start, -1):
                piece = mark + word[start:end]
                if piece in self._ids:
                    break
            yield Token(self._ids[piece], piece)
            start = end


def parts(text: str) -> list[str]:
    """Words, digits and marks of a text in lower case, accents off Latin letters."""
    return _PARTS.findall(_plain(text))


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_SPELT)
    return "".join(
        _letter(c) for c in folded if unicodedata.category(c) not in _INVISIBLE or c.isspace()
    )


def _letter(character: str) -> str:
    base = unicodedata.normalize("NFKD", character)[0]
    return base if base.isascii() else character
