"""The cards are complete, in order, within their width, and give no solution away."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
from functools import cache
from typing import TYPE_CHECKING

import pytest

from attnpack import pack
from attnpack.pack.cards import cards_in

if TYPE_CHECKING:
    from attnpack.pack.cards import Card
    from attnpack.pack.texts import Bug

VOCABULARY = pack.ROOT / "checks" / "vocabulary.txt"
BUGS = pack.load().bugs()
CARDS = [bug.card for bug in BUGS.values()]
PUBLIC_URL = re.compile(r"https://[a-z0-9.-]+(/[\w./-]*)?")

each_card = pytest.mark.parametrize("card", CARDS, ids=[card.id for card in CARDS])


def vocabulary() -> str:
    """The fixed words, family by family, as reports, cases and other people's scripts use them."""
    lines: dict[str, list[str]] = {}
    for card in CARDS:
        lines.setdefault(f"# {card.family}{' ★' if card.star else ''}", []).append(card.id)
    return "".join(f"{line}\n" for heading in lines for line in (heading, *lines[heading]))


def test_the_vocabulary_is_what_the_catalogue_holds(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--rewrite-golden"):
        VOCABULARY.write_text(vocabulary(), encoding="utf-8", newline="\n")
    assert VOCABULARY.read_text(encoding="utf-8") == vocabulary()


def test_the_cards_of_a_family_stand_together() -> None:
    families = [card.family for card in CARDS]
    turns = [
        name for name, before in zip(families, [None, *families], strict=False) if name != before
    ]
    assert len(turns) == len(set(turns))


def test_every_card_belongs_to_a_bug() -> None:
    files = {bug.cards for bug in BUGS.values() if bug.cards}
    read = {word for file in files for word in cards_in(file)}
    assert read == set(BUGS)


def test_no_two_cards_have_the_same_id() -> None:
    families = importlib.import_module("attnpack.pack.checks.bugs").FAMILIES
    ids = [bug.id for family in families for bug in family.BUGS]
    assert len(ids) == len(set(ids))


def test_the_catalogue_imports_no_numpy() -> None:
    code = (
        "import sys; from attnpack import pack; assert pack.load().bugs(); "
        "print(sorted({'numpy', 'torch', 'rich', 'matplotlib'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")


@each_card
def test_an_example_fits_into_eight_lines_of_72_columns(card: Card) -> None:
    lines = card.example.splitlines()
    assert 1 <= len(lines) <= 8
    assert max(map(len, lines)) <= 72
    assert all(line == line.rstrip() for line in lines)


@each_card
def test_texts_are_short_enough_to_be_read(card: Card) -> None:
    assert len(card.title) <= 50
    assert len(card.does) <= 150
    assert len(card.hurts) <= 380
    assert len(card.fix) <= 260
    assert max(map(len, card.hints)) <= 140


@each_card
def test_does_is_one_sentence_that_starts_with_a_verb(card: Card) -> None:
    assert re.match(r"[A-Z][a-z]+s ", card.does)
    assert card.does.endswith(".")
    assert not re.search(r"[.!?] [A-Z]", card.does)


@each_card
def test_texts_are_clean_prose(card: Card) -> None:
    for text in (card.does, card.hurts, card.fix, *card.hints):
        assert text == text.strip()
        assert "  " not in text
        assert "\n" not in text
        assert text.endswith((".", "?", "!", ")"))


@each_card
def test_the_three_hints_differ_and_begin_with_a_question(card: Card) -> None:
    assert len(set(card.hints)) == 3
    assert "?" in card.hints[0]
    assert card.hints[2].startswith("Look ")


@each_card
def test_a_card_says_where_to_read_on(card: Card) -> None:
    assert 1 <= len(set(card.read)) == len(card.read) <= 2
    for source in card.read:
        assert all(PUBLIC_URL.fullmatch(word) for word in source.split() if "://" in word)


@pytest.mark.parametrize("bug", BUGS.values(), ids=list(BUGS))
def test_equal_bugs_name_each_other(bug: Bug) -> None:
    assert bug.id not in bug.equals
    for other in bug.equals:
        assert bug.id in BUGS[other].equals


@cache
def solution_expressions() -> set[str]:
    """What the references assign and return, as code without spaces and `self`."""
    expressions: set[str] = set()
    for path in (pack.ROOT / "reference").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Assign | ast.Return) and node.value is not None:
                computes = isinstance(node.value, ast.BinOp | ast.Call | ast.ListComp)
                if computes:
                    expressions.add(squeezed(ast.unparse(node.value)))
    return expressions


def squeezed(code: str) -> str:
    """Without spaces and `self.`, so that `x @ self.W_o` equals `x @ W_o`."""
    return re.sub(r"\s+|self\.", "", code)


@each_card
def test_neither_fix_nor_hints_contain_a_line_of_the_solutions(card: Card) -> None:
    told = [squeezed(text) for text in (card.fix, *card.hints)]
    solutions = solution_expressions()
    assert len(solutions) > 20
    assert [s for s in solutions if any(s in text for text in told)] == []
