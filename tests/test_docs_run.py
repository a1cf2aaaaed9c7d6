"""Every command that a page shows is typed, in a place where it makes sense; or says why not."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from attnpack import pack
from attnpack.terms import Backend
from attnpack.workspace import scaffolding

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from _pytest.mark import ParameterSet

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "SHAPES.md", *sorted((ROOT / "docs").glob("*.md"))]
PROGRAMS = "attnpack|pip|python3|python|pytest|gh|bash|git"

NOT_TYPED: Final[Mapping[str, str]] = {
    r"source \.venv/bin/activate": "a step: the tests are run by that Python",
    r"cd attention": "a step to the place where the others are typed",
    r"attnpack (grade|trace|heatmap|watch|export)": "a name in a sentence, without its arguments; "
    "tests/watch drives watch, tests/grade drives export",
    r"attnpack dev check( --all)?": "minutes: tests/test_dev_check.py, and CI runs it whole",
    r"attnpack dev train-model .*": "fetches archives and trains for minutes",
    r"attnpack selftest --security": "asks the kernel: tests/sandbox",
    r"python3 -m venv .*": "installs from the package index: CI does",
    r"pip install .*": "installs from the package index: CI does",
    r"\.venv/bin/attnpack dev check": "in the environment made above: CI does",
    r"(\.venv/bin/)?python -m pytest.*": "this run is one",
    r"python (-m bench\b|bench/).*": "measures; minutes on a machine that does nothing else",
    r"attnpack bench": "the same; tests/benchmarks drives it",
    r"attnpack doctor hw\.zip": "a hand-in of a student's own: tests/grade drives it",
    r"python -m build --wheel": "builds: tests/packaging does",
    r"gh classroom .*": "needs an account",
    r"attnpack dev new .*": "writes into this clone: tests/packs/test_own_layout.py, into a copy",
    r"attnpack .* mypack( .*)?": "in order, on one pack: tests/packs/test_authoring.py",
}
"""pattern of the whole command -> why no test types it"""

MEANT: Final[Mapping[str, str]] = {
    "ID": "softmax-overflow",
    "BUG": "softmax-overflow",
    "DIR": "written",
    "SUBMISSION": "attention.py",
    "FILE": "attention.py",
    "N": "7",
    "NAME": "attention",
    "FOLDER": str(ROOT / "tests" / "packs" / "two_chapters"),
}
"""what a placeholder stands for"""

ENDS: Final[Mapping[str, int]] = {
    "attnpack shapes --verify SHAPES.md": 1,  # the blank table
}
"""exit codes other than 0"""

OVER_THE_QUERIES = """\
import numpy as np


def softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-2, keepdims=True)
"""


def commands(page: Path) -> list[str]:
    """What a reader may type: lines of sh blocks, indented commands, commands in a sentence."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks for line in block.splitlines()]
    lines += re.findall(rf"^    ((?:{PROGRAMS}) .*)$", text, re.MULTILINE)
    plain = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    lines += re.findall(rf"`((?:{PROGRAMS})(?: [^`]+)?)`", plain)
    typed = [" ".join(line.split(" #")[0].split()) for line in lines]
    return [line for line in dict.fromkeys(typed) if line]


EVERY: Final = sorted({command for page in PAGES for command in commands(page)})
TYPED: Final = [c for c in EVERY if not any(re.fullmatch(p, c) for p in NOT_TYPED)]


def example(page: str, beginning: str) -> str:
    """A file that a page shows, by how it begins."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    blocks = re.findall(r"(?:^    .*\n|^\n)+", text, re.MULTILINE)
    block = next(b for b in blocks if b.strip("\n").startswith(f"    {beginning}"))
    return "".join(
        line.removeprefix("    ") for line in block.strip("\n").splitlines(keepends=True)
    )


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace in which all passes, with a lone file, a notebook and a small cohort."""
    root = tmp_path_factory.mktemp("solved")
    scaffolding.init(root, Backend.NUMPY)
    texts = {}
    for exercise in pack.load().chapters[0].exercises:
        text = pack.load().reference_path("numpy", exercise.file).read_text(encoding="utf-8")
        (root / exercise.file).write_text(text, encoding="utf-8")
        own = r"from (softmax|attention_scores|causal_mask|apply_attention|scaled_\w+) import .*\n"
        texts[exercise.file] = re.sub(own, "", text)
    one = "\n\n".join(texts.values())
    (root / "attention.py").write_text(one, encoding="utf-8")
    cells = [{"cell_type": "code", "metadata": {}, "source": text} for text in texts.values()]
    (root / "work.ipynb").write_text(json.dumps({"cells": cells, "nbformat": 4}))
    (root / "submissions").mkdir()
    (root / "submissions" / "ada-l.py").write_text(one, encoding="utf-8")
    (root / "submissions" / "bob.py").write_text(OVER_THE_QUERIES, encoding="utf-8")
    (root / "roster.csv").write_text(example("instructors.md", "name,login,email"))
    (root / "rubric.toml").write_text(example("instructors.md", "assignment ="))
    assert run("attnpack check", root).returncode == 0
    return root


def run(command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    program, *words = (MEANT.get(word, word) for word in shlex.split(command))
    return subprocess.run(
        [sys.executable, "-m", program, *words],
        cwd=cwd,
        env={**os.environ, "EDITOR": "true", "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


def break_softmax(here: Path) -> None:
    (here / "softmax.py").write_text(OVER_THE_QUERIES, encoding="utf-8")


def grade(here: Path) -> None:
    assert run("attnpack grade submissions --out marks", here).returncode == 0


def grade_in_shards(here: Path) -> None:
    (here / "secret").write_text("0" * 64)
    for number in range(1, 5):
        shard = f"--shard {number}/4 --seed-secret-file secret --out shard-{number}"
        done = run(f"attnpack grade submissions {shard}", here)
        assert done.returncode == 0, done.stderr


BEFORE: Final[Mapping[str, Callable[[Path], None]]] = {
    "attnpack repro softmax": break_softmax,
    "attnpack debug softmax": break_softmax,
    "attnpack grade merge marks --out marks": grade,
    "attnpack grade merge shard-1 shard-2 shard-3 shard-4 --out marks": grade_in_shards,
}
"""what has to be there first"""


SLOW = r"attnpack (grade|generate|heatmap|demo)\b.*"
"""asked with --exhaustive only; their own tests run them each time"""


def each_command() -> list[ParameterSet]:
    marks = {command: bool(re.fullmatch(SLOW, command)) for command in TYPED}
    return [pytest.param(c, marks=pytest.mark.exhaustive if m else ()) for c, m in marks.items()]


@pytest.mark.parametrize("command", each_command())
def test_a_command_of_the_pages_does_what_it_is_for(
    command: str, solved: Path, tmp_path: Path
) -> None:
    here = tmp_path / "attention-work"
    shutil.copytree(solved, here)
    BEFORE.get(command, lambda _: None)(here)
    done = run(command, here)
    assert done.returncode == ENDS.get(command, 0), done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("pattern", NOT_TYPED)
def test_a_reason_for_typing_nothing_is_given_for_commands_that_are_there(pattern: str) -> None:
    assert any(re.fullmatch(pattern, command) for command in EVERY)


def test_no_setup_and_no_exit_code_is_left_over() -> None:
    assert {*BEFORE, *ENDS} <= set(TYPED)
