"""How a pack writes a bug down: an id, the file of its card, and the ways learners write it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnpack.diagnosis.models import Model
from attnpack.pack.texts import Bug

if TYPE_CHECKING:
    from pathlib import Path

    from attnpack.diagnosis.models import Step


def way(label: str = "", *, rank: int = 0, paired: bool = True, **replaces: Step) -> Model:
    """One way to write a bug: `way(scale=by_the_variance)` puts that step in place of `scale`.

    `rank` is 0 for the common way, more for rarer ones; `paired` says whether it is also looked
    for together with another bug.
    """
    return Model("", replaces, label, rank, paired)


def bug(name: str, cards: Path, *models: Model, equals: tuple[str, ...] = ()) -> Bug:
    """A bug, its card in the table `[name]` of a TOML file, and the ways it is written.

    `equals` names bugs that give the same numbers: they are told together.
    """
    return Bug(name, models, equals, cards)
