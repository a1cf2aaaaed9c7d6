"""Whatever a file is called, holds or raises: no control character of it reaches the screen."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HOSTILE = "\\x1b[31mRED\\x1b]0;owned\\x07\\x1b[2J[bold]rich[/bold] \\r over \\u202e rtl \\x9b31m"
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
SOURCE = f"""print("{HOSTILE}")
def softmax(scores):  # \x1b]0;in the source\x07
    raise ValueError("{HOSTILE}")
"""
NAME = "s\x1b]0;owned\x07\x1b[2J.py"


def said(*words: str, source: str = SOURCE, place: Path) -> str:
    (place / NAME).write_text(source, "utf-8")
    command = [sys.executable, "-m", "attnpack", *words]
    done = subprocess.run(
        command,
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        capture_output=True,
        check=False,
    )
    return (done.stdout + done.stderr).decode("utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="no file can be called so there")
@pytest.mark.parametrize(
    "words",
    [
        ("check", NAME),
        ("check", NAME, "--all"),
        ("trace", "softmax", NAME),
        ("repro", "softmax", NAME),
        ("hint", "softmax", NAME),
        ("check", f"nowhere{NAME}"),
        ("check", NAME, "--exercise", NAME),
        ("explain", NAME),
    ],
    ids=lambda words: words[0],
)
def test_no_command_shows_a_control_character(words: tuple[str, ...], tmp_path: Path) -> None:
    text = said(*words, place=tmp_path)
    assert text.strip()
    assert CONTROL.findall(text) == []


def test_there_is_one_way_to_the_screen() -> None:
    """Consoles are made in one module, and nothing prints a text that it was given."""
    for path in (ROOT / "attnpack").rglob("*.py"):
        text = path.read_text("utf-8")
        if path.name != "screen.py":
            assert not re.search(r"\bConsole\(", text), path
