"""Chapters: laid out when asked for, checked where they are, told of when the one before passes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from foreign_packs import TWO, flat, solve

from attnpack import pack, submission, workspace
from attnpack.workspace import stubs

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from typer.testing import Result

BEGIN = ["softmax", "attention_scores"]
MORE = ["causal_mask", "apply_attention"]
FILES = {"softmax.py", "attention_scores.py", "test_exercises.py"}


@pytest.fixture
def here(tmp_path: Path, attnpack: Callable[..., Result]) -> Path:
    """A workspace of the first chapter, and the current folder."""
    assert attnpack("init", "--pack", str(TWO)).exit_code == 0
    return tmp_path


def checked(result: Result) -> dict[str, str]:
    return {e["name"]: e["status"] for e in json.loads(result.output)["exercises"]}


def test_who_names_no_chapter_gets_the_first(here: Path) -> None:
    assert {path.name for path in here.iterdir()} == FILES | {".attnpack"}


def test_a_chapter_that_is_asked_for_is_laid_out_alone(
    tmp_path: Path, attnpack: Callable[..., Result]
) -> None:
    result = attnpack("init", "--pack", str(TWO), "--chapter", "more")
    assert "write causal_mask.py" in flat(result.output)
    assert workspace.needed(tmp_path).state.chapters == ("more",)
    assert not (tmp_path / "softmax.py").exists()


def test_a_chapter_is_added_to_a_workspace_and_touches_nothing_that_is_written(
    here: Path, attnpack: Callable[..., Result]
) -> None:
    solve(here, "softmax")
    written = (here / "softmax.py").read_text()
    result = attnpack("init", "--chapter", "more")
    assert result.exit_code == 0
    assert "Wrote causal_mask.py, apply_attention.py" in flat(result.output)
    assert "Brought up to date: test_exercises.py" in flat(result.output)
    assert (here / "softmax.py").read_text() == written
    assert workspace.needed(here).state.chapters == ("begin", "more")


def test_tests_that_someone_changed_are_kept_when_a_chapter_comes(
    here: Path, attnpack: Callable[..., Result]
) -> None:
    (here / "test_exercises.py").write_text("def test_mine(): ...\n")
    result = attnpack("init", "--chapter", "more")
    assert "Kept your own: test_exercises.py" in flat(result.output)
    assert (here / "test_exercises.py").read_text() == "def test_mine(): ...\n"


def test_a_workspace_is_checked_on_the_chapters_that_it_holds(
    here: Path, attnpack: Callable[..., Result]
) -> None:
    assert list(checked(attnpack("check", "--json"))) == BEGIN
    attnpack("init", "--chapter", "more")
    assert list(checked(attnpack("check", "--json"))) == BEGIN + MORE
    assert list(checked(attnpack("check", "--json", "--chapter", "more"))) == MORE


def test_a_chapter_and_an_exercise_of_another_are_checked_together(
    here: Path, attnpack: Callable[..., Result]
) -> None:
    attnpack("init", "--chapter", "more")
    assert list(checked(attnpack("check", "softmax", "--json", "--chapter", "more"))) == [
        "softmax",
        *MORE,
    ]


def test_a_chapter_that_is_not_here_yet_is_said_how_to_add(
    here: Path, attnpack: Callable[..., Result]
) -> None:
    result = attnpack("check", "--chapter", "more")
    assert result.exit_code == 2
    assert "attnpack init . --chapter more" in flat(result.output)


def test_a_chapter_that_does_not_exist_is_refused_with_those_that_do(
    here: Path, attnpack: Callable[..., Result]
) -> None:
    for words in (("init", "--chapter", "mroe"), ("check", "--chapter", "mroe")):
        result = attnpack(*words)
        assert result.exit_code == 2
        assert "There is no chapter 'mroe'. The chapters are: begin, more." in flat(result.output)


def test_a_chapter_says_which_backends_it_has_and_what_the_others_stay_with(
    tmp_path: Path, attnpack: Callable[..., Result]
) -> None:
    words = ("--pack", str(TWO), "--backend", "value")
    result = attnpack("init", *words, "--chapter", "more")
    assert result.exit_code == 2
    assert "more is written in numpy and torch; value stays with begin" in flat(result.output)
    assert not (tmp_path / ".attnpack").exists()
    assert attnpack("init", *words).exit_code == 0


def test_every_exercise_of_the_json_says_its_chapter(
    here: Path, attnpack: Callable[..., Result]
) -> None:
    attnpack("init", "--chapter", "more")
    report = json.loads(attnpack("check", "--json").output)
    assert [e["chapter"] for e in report["exercises"]] == ["begin", "begin", "more", "more"]


@pytest.mark.parametrize(
    ("names", "asked"),
    [
        (["softmax"], BEGIN),
        (["causal_mask"], MORE),
        (["softmax", "causal_mask"], BEGIN + MORE),
        ([], BEGIN),
    ],
    ids=["of the first", "of the second", "of both", "of neither"],
)
def test_a_lone_file_is_asked_about_the_chapters_that_it_defines_a_name_of(
    tmp_path: Path, attnpack: Callable[..., Result], names: list[str], asked: list[str]
) -> None:
    path = tmp_path / "work.py"
    path.write_text("".join(f"def {name}(*given):\n    return given\n" for name in names) or "x=1")
    assert list(checked(attnpack("check", "work.py", "--json", "--pack", str(TWO)))) == asked


def test_a_notebook_is_asked_as_a_lone_file_is(tmp_path: Path) -> None:
    cell = {"cell_type": "code", "source": "def causal_mask(n):\n    return n\n", "metadata": {}}
    notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    path = tmp_path / "work.ipynb"
    path.write_text(json.dumps(notebook))
    read = submission.load(path, pack.load(str(TWO)))
    assert [chapter.name for chapter in read.chapters] == ["more"]


def test_the_list_shows_all_chapters_and_which_are_not_here(
    here: Path, attnpack: Callable[..., Result]
) -> None:
    shown = attnpack("list").output
    assert "begin: The first two\n" in shown
    assert "more: And two more (numpy and torch), not in this workspace" in flat(shown)
    assert "4  apply_attention" in shown
    attnpack("init", "--chapter", "more")
    assert "not in this workspace" not in attnpack("list").output


def test_who_passes_a_chapter_is_told_of_the_next_and_after_the_last_of_none(
    here: Path, attnpack: Callable[..., Result]
) -> None:
    solve(here, *BEGIN)
    said = flat(attnpack("check").output)
    assert "All 2 exercises passed." in said
    assert "the next chapter is more: And two more. Lay it out: attnpack init" in said
    assert "attnpack init --chapter more" in flat(attnpack().output)
    attnpack("init", "--chapter", "more")
    solve(here, *MORE)
    assert "attnpack check --chapter more" in flat(attnpack("check", "--chapter", "begin").output)
    said = flat(attnpack("check").output)
    assert "All 4 exercises passed." in said
    assert "next chapter" not in said
    assert "attnpack heatmap" not in said
    assert "All 4 exercises passed." in flat(attnpack().output)


def test_who_passes_a_lone_file_is_told_what_the_next_chapter_asks(
    tmp_path: Path, attnpack: Callable[..., Result]
) -> None:
    own = pack.load()
    texts = [own.reference_path("numpy", own.exercise(name).file).read_text() for name in BEGIN]
    (tmp_path / "work.py").write_text("\n".join(texts).replace("from __future__", "# "))
    said = flat(attnpack("check", "work.py", "--pack", str(TWO)).output)
    assert "the next chapter is more: And two more (causal_mask and apply_attention)" in said


def test_one_passes_to_the_exercises_of_a_chapter_that_is_here(
    here: Path, attnpack: Callable[..., Result]
) -> None:
    attnpack("init", "--chapter", "more")
    solve(here, *BEGIN)
    attnpack("check", "--keep-going")
    assert "You are at causal_mask" in attnpack().output
    assert "causal_mask, hint 1" in attnpack("hint").output


def test_pytest_has_an_item_for_every_exercise_that_is_here(
    here: Path, attnpack: Callable[..., Result]
) -> None:
    functions = stubs.collected_by_pytest(workspace.needed(here).exercises)
    assert (here / "test_exercises.py").read_text() == functions
    assert functions.count("def test_") == 2
    attnpack("init", "--chapter", "more")
    assert "def test_apply_attention(attnpack_stage)" in (here / "test_exercises.py").read_text()


def test_update_brings_the_stubs_of_the_chapters_that_are_here_and_no_others(
    here: Path, attnpack: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "softmax.py").unlink()
    monkeypatch.setattr(pack.Pack, "fingerprint", lambda _: "sha256:newer")
    assert "New: softmax.py" in flat(attnpack("update").output)
    assert not (here / "causal_mask.py").exists()
    attnpack("init", "--chapter", "more")
    (here / "causal_mask.py").unlink()
    monkeypatch.setattr(pack.Pack, "fingerprint", lambda _: "sha256:newest")
    assert "New: causal_mask.py" in flat(attnpack("update").output)


def test_a_state_from_before_chapters_means_the_first(
    here: Path, attnpack: Callable[..., Result]
) -> None:
    path = here / ".attnpack" / "state.json"
    state = json.loads(path.read_text())
    del state["chapters"]
    path.write_text(json.dumps(state))
    assert [chapter.name for chapter in workspace.needed(here).chapters] == ["begin"]
    assert list(checked(attnpack("check", "--json"))) == BEGIN


def test_attnpacks_own_pack_lists_its_chapters_under_headings(
    attnpack: Callable[..., Result],
) -> None:
    output = flat(attnpack("list").output)
    places = [output.index(f"{c.name}: {c.title}") for c in pack.load().chapters]
    assert places == sorted(places)
    assert pack.load().chapters[0].name == "attention"
