"""Runs the command line as a learner does, in this process or in a fresh one."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner, Result

from attnpack import cli, pack

if TYPE_CHECKING:
    from pathlib import Path

TORCH = pytest.param(
    "torch",
    marks=pytest.mark.skipif(
        importlib.util.find_spec("torch") is None, reason="torch is not installed"
    ),
)


def attnpack(*words: str) -> Result:
    """In this process, in the current folder."""
    return CliRunner().invoke(cli.application(words), list(words))


def process(
    *words: str, cwd: Path, env: dict[str, str] | None = None, encoding: str = "utf-8"
) -> subprocess.CompletedProcess[str]:
    """In a process of its own, as from a shell, with pipes for its streams."""
    return subprocess.run(
        [sys.executable, "-m", "attnpack", *words],
        cwd=cwd,
        env={**os.environ, "PYTHONIOENCODING": encoding, **(env or {})},
        capture_output=True,
        encoding=encoding,
        check=False,
        timeout=120,
    )


def flat(text: str) -> str:
    """The text without its line breaks, for sentences that are wrapped."""
    return " ".join(text.split())


def solve(root: Path, *exercises: str, backend: str = "numpy") -> None:
    """Write the reference into a workspace; all of it where no exercise is named."""
    for exercise in pack.load().chapters[0].exercises:
        if not exercises or exercise.name in exercises:
            text = pack.load().reference_path(backend, exercise.file).read_text(encoding="utf-8")
            (root / exercise.file).write_text(text, encoding="utf-8")


BROKEN_SOFTMAX = """\
import numpy as np


def softmax(scores):
    print("scores", np.shape(scores))
    e = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    return e / e.sum(axis=-2, keepdims=True)
"""
