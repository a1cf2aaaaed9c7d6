"""What changed since it was checked is not believed, and what is the learner's is not lost."""

from __future__ import annotations

import errno
import os
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from commands import attnpack, flat

from attnpack import pack, workspace
from attnpack.errors import BadInputError
from attnpack.terms import Backend
from attnpack.workspace import judged

if TYPE_CHECKING:
    from collections.abc import Callable

NOW = datetime(2026, 1, 2, tzinfo=UTC)
SOFTMAX = pack.load().chapters[0].exercises[0]
MARKS = "<<<<<<< HEAD\na = 1\n=======\na = 2\n>>>>>>> other\n"

OWN = pack.load()


def solve(root: Path, *files: str) -> None:
    for file in files:
        shutil.copy(pack.load().reference_path("numpy", file), root / file)


def merge(root: Path, *files: str) -> None:
    """Leave the marks of a conflict in files, as a merge does."""
    for file in files:
        (root / file).write_text(MARKS + (root / file).read_text())


@pytest.fixture
def passed(here: Path) -> Path:
    solve(here, *[exercise.file for exercise in pack.load().chapters[0].exercises])
    assert attnpack("check").exit_code == 0
    return here


def test_what_passed_is_believed_while_its_text_is_there(passed: Path) -> None:
    assert "All 7 exercises passed." in attnpack().output
    assert "changed" not in attnpack("list").output


def test_what_passed_is_believed_whatever_the_line_ends_are(passed: Path) -> None:
    text = (passed / "softmax.py").read_text()
    (passed / "softmax.py").write_bytes(text.replace("\n", "\r\n").encode())
    assert "All 7 exercises passed." in attnpack().output


def test_a_merge_makes_what_passed_old(passed: Path) -> None:
    merge(passed, "softmax.py", "causal_mask.py")
    said = flat(attnpack().output)
    assert "(numpy): 5 of 7" in said
    assert "It passed when it was last checked, and the file has changed since." in said
    assert "So did causal_mask.py." in said
    assert "Next: attnpack check --keep-going" in said
    assert attnpack("list").output.count("· changed") == 2


def test_a_check_makes_it_new_again(passed: Path) -> None:
    merge(passed, "softmax.py")
    attnpack("check")
    assert "changed" not in attnpack("list").output
    solve(passed, "softmax.py")
    attnpack("check", "softmax")
    assert "All 7 exercises passed." in attnpack().output


def test_the_text_before_a_merge_is_believed_again_without_a_check(passed: Path) -> None:
    merge(passed, "softmax.py")
    solve(passed, "softmax.py")
    assert "All 7 exercises passed." in attnpack().output


def test_a_file_that_is_gone_does_not_pass(passed: Path) -> None:
    (passed / "softmax.py").unlink()
    assert "(numpy): 6 of 7" in attnpack().output


def test_a_diagnosis_of_another_text_is_called_old(here: Path) -> None:
    (here / "softmax.py").write_text("def softmax(scores):\n    return scores\n")
    attnpack("check")
    assert "It does not pass yet." in attnpack().output
    (here / "softmax.py").write_text("def softmax(scores):\n    return 2 * scores\n")
    assert "did not pass when it was last checked" in flat(attnpack().output)


def test_a_module_of_ones_own_that_changed_makes_its_users_old() -> None:
    sources = {"softmax.py": "from mine import f", "mine.py": "import deeper", "deeper.py": "a = 1"}
    before = judged.fingerprint(sources, "softmax.py", OWN)
    assert judged.fingerprint({**sources, "deeper.py": "a = 2"}, "softmax.py", OWN) != before
    assert judged.fingerprint({**sources, "unrelated.py": "a = 2"}, "softmax.py", OWN) == before
    assert judged.fingerprint({**sources, "causal_mask.py": "a = 2"}, "softmax.py", OWN) == before


def test_a_conflict_in_the_progress_is_said_once_and_kept(passed: Path) -> None:
    path = passed / ".attnpack" / "state.json"
    path.write_text(MARKS + path.read_text())
    said = flat(attnpack("list").output)
    assert "state.json holds the marks of a merge conflict" in said
    assert "kept as state.json.broken-1" in said
    assert "attnpack check --keep-going" in said
    assert "conflict" not in attnpack("list").output


@pytest.mark.parametrize(
    "write", [lambda here: here.saved(here.state), lambda here: workspace.opened(here.root)]
)
def test_a_workspace_that_was_moved_is_not_made_anew(
    here: Path, write: Callable[[workspace.Workspace], object]
) -> None:
    opened = workspace.needed(here)
    here.rename(here.with_name("moved"))
    with pytest.raises(BadInputError, match="no longer there"):
        write(opened)
    assert not opened.root.exists()


def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", refuse)


@pytest.mark.parametrize("command", ["reset softmax", "reset --all"])
def test_reset_on_a_full_disk_leaves_the_file_where_it_was(
    here: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    (here / "softmax.py").write_text("mine = 1\n")
    full_disk(monkeypatch)
    result = attnpack(*command.split())
    assert result.exit_code == 2
    assert "The disk is full" in result.output
    assert (here / "softmax.py").read_text() == "mine = 1\n"


def test_a_stub_that_cannot_be_moved_into_place_leaves_the_file_where_it_was(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "softmax.py").write_text("mine = 1\n")

    def refuse(self: Path, target: Path) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(BadInputError):
        workspace.needed(here).put("softmax.py", "other = 2\n", NOW)
    assert (here / "softmax.py").read_text() == "mine = 1\n"
    assert [path.name for path in here.iterdir() if path.name.startswith(".softmax")] == []


def test_a_pass_that_an_older_attnpack_remembered_is_checked_again(here: Path) -> None:
    path = here / ".attnpack" / "state.json"
    solve(here, "softmax.py")
    attnpack("check", "softmax")
    text = path.read_text()
    path.write_text(text.replace('"text": "', '"unknown": "'))
    assert workspace.needed(here).backend is Backend.NUMPY
    assert not workspace.needed(here).passes(SOFTMAX)
