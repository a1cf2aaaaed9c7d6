"""What the tests of a cohort share: folders of submissions and a judge that needs no guest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from grade_fakes import FAKE_JUDGE

from attnpack.grade.commands import Options, grade

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@pytest.fixture(autouse=True)
def fakes_in_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Worker processes find the fake judge."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret.txt"
    path.write_text("0123456789abcdef0123456789abcdef\n")
    return path


@pytest.fixture
def lay(tmp_path: Path) -> Callable[[Mapping[str, str]], Path]:
    """Lays out a folder of submissions."""

    def write(files: Mapping[str, str]) -> Path:
        folder = tmp_path / "submissions"
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return folder

    return write


@pytest.fixture
def graded(
    lay: Callable[[Mapping[str, str]], Path], tmp_path: Path, secret: Path
) -> Callable[..., Path]:
    """Grades a folder with the fake judge; gives the output folder."""

    def run(files: Mapping[str, str], **options: object) -> Path:
        out = tmp_path / "out"
        settings = {"jobs": 1, "judge": FAKE_JUDGE, "seed_secret_file": secret, **options}
        grade(Options(lay(files), out, **settings))  # type: ignore[arg-type]
        return out

    return run
