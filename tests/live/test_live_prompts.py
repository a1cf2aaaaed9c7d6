"""`attnpack.check()` at a prompt and in a script, and what a guest makes of it."""

from __future__ import annotations

import inspect
import json
import linecache
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import attnpack
from attnpack import live

if TYPE_CHECKING:
    from pathlib import Path

IMPORTS = "import numpy as np\n"
SOFTMAX = """\
def softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
"""
OVER_THE_QUERIES = SOFTMAX.replace("e.sum(axis=-1", "e.sum(axis=-2")


def test_the_package_is_light_until_check_is_used() -> None:
    told = subprocess.run(
        [sys.executable, "-c", "import sys, attnpack; print(sorted(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "'attnpack'" in told.stdout
    for heavy in ("numpy", "rich", "typer", "attnpack.live", "ast"):
        assert f"'{heavy}'" not in told.stdout
    assert attnpack.check is live.check
    with pytest.raises(AttributeError, match="no attribute 'chekc'"):
        attnpack.chekc  # noqa: B018


def test_a_script_can_check_itself(tmp_path: Path) -> None:
    (tmp_path / "work.py").write_text(
        f"{IMPORTS}import attnpack\n{OVER_THE_QUERIES}\nprint(attnpack.check())\n"
    )
    done = subprocess.run(
        [sys.executable, "work.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "work.py:5" in done.stdout


def test_a_prompt_that_keeps_no_text_says_what_to_do(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-i", "-q"],
        input="def softmax(scores):\n    return scores\n\nimport attnpack\nattnpack.check()\n",
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    said = " ".join(done.stdout.split())
    assert "The text of softmax cannot be read: this prompt keeps none" in said
    assert "attnpack check FILE" in said


def typed(number: int, text: str, namespace: dict[str, Any]) -> None:
    """An entry at the prompt of Python 3.13, which registers its text under this name."""
    name = f"<python-input-{number}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), "<stdin>")
    exec(compile(text, name, "exec"), namespace)


@pytest.fixture
def prompt(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.setattr(linecache, "cache", dict(linecache.cache))
    return {"__name__": "__main__", "__file__": "_pyrepl/__main__.py"}


def test_a_prompt_that_keeps_its_text_is_read(prompt: dict[str, Any]) -> None:
    for number, text in enumerate((IMPORTS, "x = 1\n", OVER_THE_QUERIES)):
        typed(number, text, prompt)
    checked = live.check_in(prompt)
    assert "cell 3, line 3" in checked.text
    typed(3, SOFTMAX, prompt)
    assert live.check_in(prompt).passed


def test_a_prompt_that_keeps_functions_alone_is_read(
    prompt: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(0, IMPORTS, prompt)
    typed(1, SOFTMAX, prompt)
    source = inspect.getsource(prompt["softmax"])
    linecache.cache.clear()
    monkeypatch.setattr(inspect, "getsource", {prompt["softmax"]: source}.__getitem__)
    assert live.check_in(prompt).passed


def test_a_notebook_that_checks_itself_can_be_checked(tmp_path: Path) -> None:
    cells = [IMPORTS, SOFTMAX, "import attnpack\nresult = attnpack.check()\nassert result.passed"]
    content = {
        "cells": [{"cell_type": "code", "source": cell, "metadata": {}} for cell in cells],
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {},
    }
    (tmp_path / "work.ipynb").write_text(json.dumps(content))
    done = subprocess.run(
        [sys.executable, "-m", "attnpack", "check", "work.ipynb", "softmax"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
