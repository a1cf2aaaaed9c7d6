"""The pages for people: every command in them exists, and the learner's hour can be typed."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from attnpack import cli, pack

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BUGS = pack.load().bugs()


def commands(page: Path) -> list[str]:
    """Every `attnpack ...` in code, in a line or in a block."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"^```\w*\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    inline = re.findall(r"`(attnpack [^`\n]+)`", text)
    lines = [line.split("#")[0].strip() for block in blocks for line in block.splitlines()]
    return [*inline, *(line for line in lines if line.startswith("attnpack "))]


def help_of(words: list[str]) -> str:
    """Of the command, or of the command of a group, that the words name."""
    for count in range(len(words), 0, -1):
        named = words[:count]
        told = CliRunner().invoke(
            cli.application(named), [*named, "--help"], env={"COLUMNS": "200"}
        )
        if f"Usage: attnpack {' '.join(named)} " in told.output:
            return told.output
    raise AssertionError(words)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_in_a_page_exists_with_its_options(page: Path) -> None:
    for typed in commands(page):
        words = shlex.split(typed)[1:]
        name = words[0]
        if name.startswith("-"):
            continue
        assert name in cli.COMMANDS, typed
        shown = help_of(words)
        for option in (word.split("=")[0] for word in words if word.startswith("--")):
            assert f"{option} " in shown or f"{option}\n" in shown, typed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_bug_that_a_page_explains_is_in_the_catalogue(page: Path) -> None:
    for typed in commands(page):
        words = shlex.split(typed)
        if words[1] == "explain" and len(words) > 2 and words[2].islower():
            assert words[2] in BUGS, typed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_that_a_page_links_to_is_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (page.parent / target).exists(), target


@pytest.mark.exhaustive
def test_the_learners_hour_can_be_typed(tmp_path: Path) -> None:
    """The blocks of the page in order, by somebody who writes all exercises right at once."""
    here = tmp_path
    for typed in commands(ROOT / "docs" / "learners.md"):
        words = shlex.split(typed)
        if words[1] == "watch" or not is_in_a_block(typed):
            continue
        done = subprocess.run(
            [sys.executable, "-m", *words], cwd=here, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        if words[1] == "init":
            here = here / words[2]
            for exercise in pack.load().chapters[0].exercises:
                shutil.copy(pack.load().reference_path("numpy", exercise.file), here)


def is_in_a_block(typed: str) -> bool:
    text = (ROOT / "docs" / "learners.md").read_text(encoding="utf-8")
    return any(line.split("#")[0].strip() == typed for line in text.splitlines())
