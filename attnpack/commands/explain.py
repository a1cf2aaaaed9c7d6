"""`attnpack explain`: one bug card, or the ids of all."""

from pathlib import Path
from typing import Annotated

import typer

from attnpack.commands import targets
from attnpack.errors import BadInputError
from attnpack.pack import Bug, Card
from attnpack.report import words
from attnpack.report.prose import say, titled, wrapped


def explain(
    bug: Annotated[
        str | None, typer.Argument(metavar="[BUG]", help="The bug's id; all ids if not said.")
    ] = None,
    pack: targets.PackOption = None,
) -> None:
    """Explain a bug: what the code does, why it hurts, what to do."""
    bugs = targets.pack_of(pack, Path.cwd()).bugs()
    if bug is None:
        _list([known.card for known in bugs.values()])
        return
    if bug not in bugs:
        raise BadInputError(f"There is no bug {bug!r}. {_close_to(bug, list(bugs))}")
    say(text_of(bugs[bug]))


def text_of(bug: Bug) -> str:
    """A bug's card as plain text."""
    card = bug.card
    note = "\nNoted, never a failure." if card.note_only else ""
    parts = [
        f"{card.id}: {card.title}{note}\n",
        f"{wrapped(card.does)}\n",
        f"{words.EXAMPLE}\n{_indented(card.example)}\n",
        titled(words.HURTS, card.hurts),
        titled(words.FIX, card.fix),
    ]
    if bug.equals:
        parts.append(f"{wrapped(words.EQUALS.format(ids=words.listed(bug.equals)))}\n")
    parts.append(f"{words.READ_ON}\n" + "\n".join(wrapped(place, "  ") for place in card.read))
    return "\n".join(parts)


def _indented(text: str) -> str:
    return "\n".join(f"  {line}".rstrip() for line in text.splitlines())


def _list(cards: list[Card]) -> None:
    widest = max(len(card.id) for card in cards)
    for family in dict.fromkeys(card.family for card in cards):
        say(f"{family}")
        for card in cards:
            if card.family == family:
                say(f"  {card.id:<{widest}}  {card.title}")
        say()
    say("Next: attnpack explain BUG")


def _close_to(bug: str, known: list[str]) -> str:
    import difflib

    close = difflib.get_close_matches(bug, known, n=3, cutoff=0.5)
    if close:
        return f"Close to it: {', '.join(close)}."
    return "All of them: attnpack explain"
