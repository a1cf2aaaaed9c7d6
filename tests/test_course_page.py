"""docs/course.md says of every exercise what the pack says of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from attnpack import pack

PAGE = Path(__file__).parents[1] / "docs" / "course.md"
TEXT = PAGE.read_text(encoding="utf-8")
EXERCISES = list(enumerate(pack.load().exercises, start=1))
EACH = pytest.mark.parametrize(
    ("number", "exercise"), EXERCISES, ids=[e.name for _, e in EXERCISES]
)


def section(heading: str) -> str:
    """What stands under a heading, on one line."""
    body = TEXT.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return " ".join(body.split())


@EACH
def test_an_exercise_has_its_section_with_equation_file_needs_and_checks(number, exercise) -> None:
    said = section(f"{number}. {exercise.name}: {exercise.title}")
    assert " ".join(exercise.equation.split()) in said
    assert f"File `{exercise.file}`." in said
    needs = ", ".join(f"`{name}`" for name in exercise.needs) or "nothing"
    assert f"Uses {needs}." in said
    checked = ", ".join(stage.label for stage in exercise.stages)
    assert f"Checked: {checked}." in said


@EACH
def test_an_exercise_names_the_papers_that_the_pack_names(number, exercise) -> None:
    said = section(f"{number}. {exercise.name}: {exercise.title}")
    for source in exercise.read:
        assert re.split(r"[,:(]", source)[0].strip() in said


@EACH
def test_the_table_links_to_the_section(number, exercise) -> None:
    anchor = re.sub(r"[^\w -]", "", f"{number}. {exercise.name}: {exercise.title}".lower())
    assert f"[{exercise.name}](#{anchor.replace(' ', '-')})" in TEXT


def test_the_page_has_no_exercise_that_the_pack_has_not() -> None:
    named = re.findall(r"^## \d+\. (\w+):", TEXT, re.MULTILINE)
    assert named == [exercise.name for _, exercise in EXERCISES]


def test_every_bug_that_is_named_is_in_the_catalogue() -> None:
    linked = re.findall(r"\[([\w-]+)\]\(bugs\.md#([\w-]+)\)", TEXT)
    assert linked
    for shown, anchor in linked:
        assert shown == anchor
        assert anchor in pack.load().bugs()


def test_the_map_draws_what_the_exercises_need() -> None:
    for _, exercise in EXERCISES:
        if len(exercise.needs) == 3:
            assert set(exercise.needs) == {"softmax", "attention_scores", "apply_attention"}
        elif exercise.needs:
            assert set(exercise.needs) == {e.name for _, e in EXERCISES[:5]}
