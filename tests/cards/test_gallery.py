"""docs/bugs.md shows every card, as the cards are now."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from attnpack import pack
from attnpack.pack.texts import Bug, Card
from attnpack.report.gallery import render

PAGE = Path(__file__).parents[2] / "docs" / "bugs.md"


def test_the_gallery_page_is_what_the_cards_say(request: pytest.FixtureRequest) -> None:
    page = render(pack.load().bugs())
    if request.config.getoption("--rewrite-golden"):
        PAGE.write_text(page, encoding="utf-8", newline="\n")
    assert PAGE.read_text(encoding="utf-8") == page


def test_every_bug_has_its_heading_once_and_every_link_a_heading() -> None:
    page = render(pack.load().bugs())
    headings = [line.removeprefix("### ") for line in page.splitlines() if line.startswith("### ")]
    assert headings == list(pack.load().bugs())
    linked = {part.split(")")[0] for part in page.split("](#")[1:]}
    assert linked == set(headings)


PLAIN = Card(
    id="an-id",
    family="a family",
    title="a title",
    does="Does it.",
    example="scores  [[1, 2]]",
    hurts="It hurts.",
    fix="Mend it.",
    hints=("Why?", "So.", "Look here."),
    read=("A page",),
)


def page_with(**changed: Any) -> str:
    return render({"an-id": Bug(replace(PLAIN, **changed))})


@pytest.mark.parametrize(
    ("plain", "shown"),
    [
        ("h * d_k", r"h \* d_k"),
        ("masked_fill_ does", r"masked_fill\_ does"),
        ("mask[:, None]", r"mask\[:, None\]"),
        ("~1 < 2 | 3", r"\~1 \< 2 \| 3"),
        ("a `word`", r"a \`word\`"),
    ],
)
def test_markdown_shows_texts_unchanged(plain: str, shown: str) -> None:
    assert shown in page_with(does=plain)


def test_examples_are_not_escaped() -> None:
    assert "```text\nx  [[1, 2]] * 2\n```" in page_with(example="x  [[1, 2]] * 2")


def test_a_note_and_its_equals_are_said() -> None:
    page = page_with(note_only=True, equals=("another-id",))
    assert "no exercise fails because of this" in page
    assert "another-id." in page
    assert "(#another-id)" not in page
