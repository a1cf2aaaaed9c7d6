"""An exercise and a bug laid out in a copy of attnpack's own pack, which is a pack by folder."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from typing import TYPE_CHECKING

import pytest
from foreign_packs import flat

from attnpack import pack
from attnpack.pack import cards

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from typer.testing import Result

EXERCISE = {
    "checks/exercises/doubled.py",
    "checks/exercises/__init__.py",
    "exercises/numpy/doubled.py",
    "exercises/torch/doubled.py",
    "reference/numpy/doubled.py",
    "reference/torch/doubled.py",
    "docs/course.md",
}
BUG = {"checks/bugs/scaling.py", "checks/bugs/cards/scaling.toml"}
TORCH = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is an extra")


@pytest.fixture
def copy(tmp_path: Path, attnpack: Callable[..., Result]) -> Iterator[Path]:
    """The pack with the page that it is told on."""
    root = pack.load().root
    for part in ("checks", "exercises", "reference"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(root / part, tmp_path / "own" / part, ignore=ignored)
    (tmp_path / "own" / "docs").mkdir()
    shutil.copy(root / "docs" / "course.md", tmp_path / "own" / "docs")
    yield tmp_path / "own"
    forget()


def forget() -> None:
    """Packs are loaded once in a process; a test changes them in between."""
    pack.finding._from_folder.cache_clear()
    cards.cards_in.cache_clear()
    for name in [name for name in sys.modules if name.startswith("attnpack_pack_")]:
        del sys.modules[name]
    importlib.invalidate_caches()


def files(folder: Path) -> dict[str, str]:
    paths = [p for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    return {path.relative_to(folder).as_posix(): path.read_text() for path in paths}


def changed(before: dict[str, str], after: dict[str, str]) -> set[str]:
    return {path for path in after if after[path] != before.get(path)}


@pytest.mark.parametrize("backend", ["numpy", pytest.param("torch", marks=TORCH)])
def test_an_exercise_in_numpy_and_torch_is_seven_files_and_runs_as_it_is_laid_out(
    copy: Path, attnpack: Callable[..., Result], backend: str
) -> None:
    before = files(copy)
    made = attnpack("dev", "new", "exercise", "doubled", "--pack", "own")
    assert made.exit_code == 0, made.output
    assert "to do by hand" not in made.output
    assert changed(before, files(copy)) == EXERCISE
    forget()
    held = ("dev", "check", "--pack", "own", "--exercise", "doubled", "--backend", backend)
    result = attnpack(*held)
    assert result.exit_code == 0, result.output
    assert f"{backend}: references: ok" in result.output
    number = len(pack.load().exercises) + 1
    assert f"## {number}. doubled: " in files(copy)["docs/course.md"]


def test_a_bug_is_two_files_and_dev_check_says_what_is_left(
    copy: Path, attnpack: Callable[..., Result]
) -> None:
    before = files(copy)
    made = attnpack("dev", "new", "bug", "scale-by-chance", "--family", "scaling", "--pack", "own")
    assert made.exit_code == 0, made.output
    assert changed(before, files(copy)) == BUG
    forget()
    words = ("--bug", "scale-by-chance", "--exercise", "attention_scores", "--backend", "numpy")
    result = attnpack("dev", "check", "--pack", "own", *words)
    assert result.exit_code == 1
    assert "scale-by-chance has neither a model nor a reason" in flat(result.output)
    path = copy / "checks" / "bugs" / "scaling.py"
    written = 'models=(way({"scale": by(constant(0.3))}),)'
    path.write_text(path.read_text().replace("models=()", written))
    forget()
    result = attnpack("dev", "check", "--pack", "own", *words)
    assert "(1 models, 0 pairs" in result.output


def test_a_bug_of_no_kind_that_there_is_is_refused_with_the_kinds(
    copy: Path, attnpack: Callable[..., Result]
) -> None:
    before = files(copy)
    for family in ((), ("--family", "nothing")):
        result = attnpack("dev", "new", "bug", "a-new-one", "--pack", "own", *family)
        assert result.exit_code == 2
        assert "--family, one of causal, causal_length" in flat(result.output)
    assert files(copy) == before
