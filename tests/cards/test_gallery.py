"""docs/bugs.md shows every card, as the cards are now."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

from attnpack import pack
from attnpack.pack.texts import Bug
from attnpack.report.gallery import render

if TYPE_CHECKING:
    from collections.abc import Callable

Equals: TypeAlias = tuple[str, ...]

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


PLAIN = """
family = "a family"

[an-id]
title = "a title"
does = 'DOES'
example = "EXAMPLE"
hurts = "It hurts."
fix = "Mend it."
hints = ["Why?", "So.", "Look here."]
read = ["A page"]
"""


@pytest.fixture
def page_with(tmp_path: Path) -> Callable[..., str]:
    def page(
        does: str = "Does it.", example: str = "x  [[1]]", more: str = "", equals: Equals = ()
    ) -> str:
        file = tmp_path / "cards.toml"
        text = PLAIN.replace("DOES", does).replace("EXAMPLE", example) + more
        file.write_text(text, encoding="utf-8")
        return render({"an-id": Bug("an-id", equals=equals, cards=file)})

    return page


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
def test_markdown_shows_texts_unchanged(
    page_with: Callable[..., str], plain: str, shown: str
) -> None:
    assert shown in page_with(does=plain)


def test_examples_are_not_escaped(page_with: Callable[..., str]) -> None:
    assert "```text\nx  [[1, 2]] * 2\n```" in page_with(example="x  [[1, 2]] * 2")


def test_a_note_and_its_equals_are_said(page_with: Callable[..., str]) -> None:
    page = page_with(more="note_only = true\n", equals=("another-id",))
    assert "no exercise fails because of this" in page
    assert "another-id." in page
    assert "(#another-id)" not in page
