"""Small stories out of our own sentences: training text with the classic examples in it.

Scenes and words are in `stories.txt`. A scene is a few sentences with slots: `{animal}` is drawn
once per story, `{animal_2}` is another one; `{he}`, `{his}`, `{him}` go with `{name}`, `{he_2}`
with `{name_2}`.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_SLOT = re.compile(r"\{(([a-z]+)(?:_(\d))?)\}")
_ARTICLE = re.compile(r"\ba (?=[aeiou])")
_PRONOUNS = {"he": ("he", "she"), "his": ("his", "her"), "him": ("him", "her")}


@dataclass(frozen=True)
class Grammar:
    """What stories are made of."""

    lexicon: dict[str, tuple[str, ...]]
    scenes: tuple[str, ...]

    def stories(self, words: int, seed: int) -> Iterator[str]:
        """Stories until they hold so many words. The same seed tells the same stories."""
        rng = random.Random(seed)
        told = 0
        while told < words:
            story = self.tell(rng)
            yield story
            told += story.count(" ") + 1

    def tell(self, rng: random.Random) -> str:
        """One story: its words and marks separated by single spaces."""
        scene = rng.choice(self.scenes)
        drawn: dict[str, str] = {}
        for slot, kind, number in _SLOT.findall(scene):
            if kind in _PRONOUNS:
                name = drawn["name" + (f"_{number}" if number else "")]
                drawn[slot] = _PRONOUNS[kind][name in self.lexicon["girl"]]
            elif slot not in drawn:
                taken = set(drawn.values())
                free = [word for word in self.lexicon[kind] if word not in taken]
                drawn[slot] = rng.choice(free)
        told = _SLOT.sub(lambda match: drawn[match[1]], scene)
        return _ARTICLE.sub("an ", told)

    def words(self) -> set[str]:
        """Every word a story can hold."""
        fixed = {word for scene in self.scenes for word in _SLOT.sub(" ", scene).split()}
        drawn = {
            word for words in self.lexicon.values() for entry in words for word in entry.split()
        }
        pronouns = {word for pair in _PRONOUNS.values() for word in pair}
        return fixed | drawn | pronouns | {"an"}


@cache
def shipped() -> Grammar:
    """The grammar of `stories.txt`."""
    lexicon: dict[str, tuple[str, ...]] = {}
    scenes: list[str] = []
    text = files("attnpack.look.texts").joinpath("stories.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("> "):
            scenes.append(line.removeprefix("> "))
        elif line and not line.startswith("#"):
            kind, words = line.split(": ", maxsplit=1)
            lexicon[kind] = tuple(words.split(", "))
    lexicon["name"] = lexicon["boy"] + lexicon["girl"]
    return Grammar(lexicon, tuple(scenes))
