"""A pack of two chapters, made of four exercises of attnpack's own: `begin` and, without the value
engine, `more`."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from attnpack.pack import load
from attnpack.terms import Backend

OWN = load()
BEGIN = ("softmax", "attention_scores")
MORE = ("causal_mask", "apply_attention")


class TwoChapters(type(OWN)):
    name = "two-chapters"
    title = "Two chapters"
    chapter_titles: ClassVar = {"begin": "The first two", "more": "And two more"}
    exercises = (
        *(replace(OWN.exercise(name), chapter="begin") for name in BEGIN),
        *(
            replace(OWN.exercise(name), chapter="more", backends=(Backend.NUMPY, Backend.TORCH))
            for name in MORE
        ),
    )
    beside = ()
    look = False


PACK = TwoChapters()
