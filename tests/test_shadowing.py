"""A learner's file that is named like a library is none of attnpack's."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from attnpack.terms import Backend
from attnpack.workspace import scaffolding

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", ["secrets", "queue", "json", "rich"])
def test_python_m_attnpack_imports_nothing_from_the_current_folder(
    tmp_path: Path, name: str
) -> None:
    scaffolding.init(tmp_path, Backend.NUMPY)
    (tmp_path / f"{name}.py").write_text("import os\nos._exit(0)\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "attnpack", "check", "softmax"],
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 1
    assert "softmax is not written yet" in done.stdout


@pytest.mark.parametrize("name", ["random", "secrets", "numpy", "rich", "typing_extensions"])
def test_nothing_comes_from_a_folder_that_pythonpath_names(tmp_path: Path, name: str) -> None:
    scaffolding.init(tmp_path, Backend.NUMPY)
    (tmp_path / f"{name}.py").write_text("import os\nos._exit(0)\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "attnpack", "check", "softmax"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": "."},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert "softmax is not written yet" in done.stdout, done.stderr
    assert done.returncode == 1


def test_a_module_that_only_pythonpath_has_is_found(tmp_path: Path) -> None:
    (tmp_path / "only_here.py").write_text("print('found')\n", encoding="utf-8")
    asked = "import attnpack.entry as e; e._libraries_first(); import only_here"
    done = subprocess.run(
        [sys.executable, "-P", "-c", asked],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stdout == "found\n"
