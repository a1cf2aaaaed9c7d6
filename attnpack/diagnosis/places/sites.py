"""The sites of a submission: what a guest is told to hook, and what its numbers mean."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from attnpack.calls import Seen
from attnpack.guest.seeing.rewriting import rewrite

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from attnpack.guest.seeing.sites import Site


@dataclass(frozen=True)
class Sites:
    """Numbered through all files, in the order of their names."""

    all: Sequence[Site]
    seen: Seen

    def __getitem__(self, number: int) -> Site | None:
        """The site of a number that a guest gave; None where it has none."""
        return self.all[number] if 0 <= number < len(self.all) else None


def sites_of(texts: Mapping[str, str], others: Collection[str]) -> Sites:
    """Read off the texts, which the guest numbers alike; `others` are definitions left alone."""
    firsts: dict[str, int] = {}
    found: list[Site] = []
    for file in sorted(texts):
        try:
            tree = ast.parse(texts[file], file)
            of_file = rewrite(tree, texts[file], file, others, len(found))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue  # a guest says so when it loads the file
        firsts[file] = len(found)
        found.extend(of_file)
    return Sites(found, Seen(firsts, tuple(others)))
