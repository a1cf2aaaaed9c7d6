"""The gallery: every bug card on one page of Markdown (docs/bugs.md), grouped by family."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from attnpack.pack.cards import Card
    from attnpack.pack.texts import Bug

INTRODUCTION = """\
# The bugs

Every bug that attnpack knows by name: what the code does, the smallest example in numbers,
why it hurts and what to do. `attnpack explain ID` shows one card in the terminal, and
`attnpack hint` gives its three hints one at a time. Families with a ★ are the ones to be warned
of first. In the examples, `right` is what right code gives, and numbers are rounded.

This page is made from the cards in `checks/bugs/cards/`; change those, not this page.
"""


def render(bugs: Mapping[str, Bug]) -> str:
    """The whole page: a table of contents, then a section for each family, in the given order."""
    cards = [bug.card for bug in bugs.values()]
    families = [(name, list(members)) for name, members in groupby(cards, lambda c: c.family)]
    parts = [INTRODUCTION, "\n".join(_contents(name, members) for name, members in families)]
    for name, members in families:
        parts.append(f"## {_heading(name, members)}")
        parts.extend(_section(bugs[card.id], bugs) for card in members)
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _heading(family: str, cards: Iterable[Card]) -> str:
    starred = any(card.star for card in cards)
    return f"{family} ★" if starred else family


def _contents(family: str, cards: list[Card]) -> str:
    links = ", ".join(_link(card.id) for card in cards)
    return f"- **{_heading(family, cards)}**: {links}"


def _section(bug: Bug, bugs: Mapping[str, Bug]) -> str:
    card = bug.card
    parts = [
        f"### {card.id}",
        f"**{_escaped(card.title)}.** {_escaped(card.does)}",
        f"```text\n{card.example}\n```",
        f"*Why it hurts.* {_escaped(card.hurts)}",
        f"*What to do.* {_escaped(card.fix)}",
    ]
    if card.note_only:
        parts.append("*A note only:* no exercise fails because of this.")
    if bug.equals:
        same = ", ".join(_link(other) if other in bugs else other for other in bug.equals)
        parts.append(f"*The same numbers, at least in some exercises:* {same}.")
    parts.append(f"*Read on.* {'; '.join(_escaped(source) for source in card.read)}")
    return "\n\n".join(parts)


def _link(bug_id: str) -> str:
    return f"[{bug_id}](#{bug_id})"


def _escaped(text: str) -> str:
    """Plain text as Markdown shows it unchanged. Underscores inside a word need no escape."""
    text = re.sub(r"([\\`*\[\]<>~|])", r"\\\1", text)
    return re.sub(r"(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])", r"\\_", text)
