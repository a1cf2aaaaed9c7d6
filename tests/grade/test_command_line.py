"""`attnpack grade` and `export` as they are typed."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from grade_fakes import FAKE_JUDGE

from attnpack.errors import BadInputError
from attnpack.grade.commands import Options, grade
from attnpack.grade.progress import progress

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Lay = Callable[[Mapping[str, str]], Path]

RIGHT = "def softmax(scores): return scores\n"


def typed(*words: object, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "attnpack", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["grade", "none", "--out", "out"], "one file or folder per student"),
        (["grade", "merge", "--out", "out"], "Name the folders to merge"),
        (["grade", "merge", "none", "--out", "out"], "holds no run"),
        (["grade", "subs", "more", "--out", "out"], "grade merge"),
        (["grade", "subs", "--out", "out", "--shard", "3/2"], "i from 1 to n"),
        (["grade", "subs", "--out", "out", "--shard", "1/2"], "--seed-secret-file"),
        (["grade", "subs", "--out", "out", "--rubric", "none.toml"], "none.toml"),
        (["grade", "subs", "--out", "out", "--roster", "none.csv"], "none.csv"),
        (["grade", "subs", "--out", "out", "--seed-secret-file", "none"], "none"),
        (["export", "canvas", "out"], "github-classroom"),
    ],
)
def test_what_is_typed_wrong_ends_with_2_and_says_what_to_do(
    lay: Lay, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    folder = lay({"subs/a.py": RIGHT})
    monkeypatch.chdir(folder)
    done = typed(*words)
    assert done.returncode == 2, done.stderr
    assert said in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_export_says_what_it_wrote(tmp_path: Path) -> None:
    done = typed("export", "gradescope", tmp_path / "gs")
    assert done.returncode == 0
    assert str(tmp_path / "gs" / "autograder.zip") in done.stdout


def test_an_output_folder_among_the_submissions_is_none_of_them(lay: Lay) -> None:
    folder = lay({"a.py": RIGHT, "marks/x.py": RIGHT})
    grade(Options(folder, folder / "marks", 1, judge=FAKE_JUDGE))
    lines = (folder / "marks" / "grades.csv").read_text().splitlines()
    assert [line.split(",")[0] for line in lines] == ["submission", "a.py"]


def test_a_full_disk_is_said_in_words_with_the_way_on(
    lay: Lay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = os.write

    def full(file: int, data: bytes) -> int:
        if b'"judged"' in bytes(data):
            raise OSError(28, "No space left on device")
        return real(file, data)

    folder = lay({"a.py": RIGHT})
    monkeypatch.setattr(os, "write", full)
    with pytest.raises(BadInputError, match="disk is full"):
        grade(Options(folder, tmp_path / "out", 1, judge=FAKE_JUDGE))
    assert "--resume" in capsys.readouterr().err
    monkeypatch.undo()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_bar_and_a_pipe_plain_lines() -> None:
    pipe, terminal = io.StringIO(), Terminal()
    for stream in (pipe, terminal):
        with progress(2, stream) as step:
            step()
            step()
    assert pipe.getvalue().startswith("2 of 2 submissions, ")
    assert pipe.getvalue().count("\n") == 1
    assert "\x1b" not in pipe.getvalue()
    assert "2/2" in terminal.getvalue()
    assert "a second" in terminal.getvalue()
