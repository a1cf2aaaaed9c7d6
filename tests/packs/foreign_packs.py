"""Packs that are not attnpack's own, and what tests do with them."""

from __future__ import annotations

from pathlib import Path

from attnpack import pack

TWO = Path(__file__).parent / "two_chapters"


def flat(text: str) -> str:
    """The text without its line breaks, for sentences that are wrapped."""
    return " ".join(text.split())


def solve(root: Path, *names: str) -> None:
    """Write attnpack's own solutions of these exercises into a workspace."""
    for name in names:
        file = pack.load().exercise(name).file
        text = pack.load().reference_path("numpy", file).read_text(encoding="utf-8")
        (root / file).write_text(text, encoding="utf-8")
