"""Scaffold, find, reset: the learner's files are never lost."""

from __future__ import annotations

import errno
import json
import os
from typing import TYPE_CHECKING

import pytest
from commands import attnpack, flat

from attnpack import pack, workspace
from attnpack.errors import BadInputError
from attnpack.terms import Backend, Status
from attnpack.workspace import progress, stubs

if TYPE_CHECKING:
    from pathlib import Path

FILES = [exercise.file for exercise in pack.load().chapters[0].exercises]


def state(root: Path) -> dict[str, object]:
    return json.loads((root / ".attnpack" / "state.json").read_text(encoding="utf-8"))


def stub(backend: Backend, file: str) -> str:
    return stubs.stub_text(pack.load(), backend, file)


def test_init_writes_every_stub_as_the_pack_has_it(nowhere: Path) -> None:
    result = attnpack("init", "attention")
    assert result.exit_code == 0
    for file in FILES:
        assert (nowhere / "attention" / file).read_text() == stub(Backend.NUMPY, file)
    assert "cd attention" in result.output
    assert "attnpack check" in result.output


@pytest.mark.parametrize("backend", list(Backend))
def test_init_writes_the_stubs_of_the_backend_asked_for(nowhere: Path, backend: Backend) -> None:
    assert attnpack("init", "--backend", backend.value).exit_code == 0
    assert (nowhere / "softmax.py").read_text() == stubs.stub_text(
        pack.load(), backend, "softmax.py"
    )
    assert state(nowhere)["backend"] == backend.value


def test_init_overwrites_nothing_and_lists_what_it_kept(nowhere: Path) -> None:
    (nowhere / "softmax.py").write_text("mine = 1\n")
    result = attnpack("init")
    assert (nowhere / "softmax.py").read_text() == "mine = 1\n"
    assert "Kept your own: softmax.py." in result.output
    assert "attention_scores.py" in result.output


def test_init_again_changes_nothing(here: Path) -> None:
    (here / "softmax.py").write_text("mine = 1\n")
    before = state(here)
    result = attnpack("init")
    assert result.exit_code == 0
    assert state(here) == before
    assert (here / "softmax.py").read_text() == "mine = 1\n"
    assert "Wrote" not in result.output


def test_init_brings_back_a_stub_that_was_deleted(here: Path) -> None:
    (here / "softmax.py").unlink()
    assert "Wrote softmax.py" in attnpack("init").output
    assert (here / "softmax.py").is_file()


def test_init_refuses_to_turn_a_workspace_into_another_backend(here: Path) -> None:
    result = attnpack("init", "--backend", "torch")
    assert result.exit_code == 2
    assert "a numpy workspace already" in flat(result.output)


@pytest.mark.parametrize("name", ["file.txt", "file.txt/deeper"])
def test_init_into_a_file_says_that_it_is_a_file(nowhere: Path, name: str) -> None:
    (nowhere / "file.txt").write_text("keep me")
    result = attnpack("init", name)
    assert result.exit_code == 2
    assert "file.txt is a file, and a workspace is a folder" in flat(result.output)
    assert (nowhere / "file.txt").read_text() == "keep me"


def test_init_where_a_file_stands_in_the_way_of_the_state_says_so(nowhere: Path) -> None:
    (nowhere / ".attnpack").write_text("not a folder")
    result = attnpack("init")
    assert result.exit_code == 2
    assert "in the way" in result.output
    assert (nowhere / ".attnpack").read_text() == "not a folder"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (errno.ENOSPC, "The disk is full"),
        (errno.EACCES, "No permission to write"),
        (errno.EROFS, "No permission to write"),
        (errno.EIO, "could not be written"),
    ],
)
def test_a_write_that_fails_is_told_and_leaves_no_part_of_a_file(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch, code: int, said: str
) -> None:
    def refuse(_: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", refuse)
    result = attnpack("init")
    assert result.exit_code == 2
    assert said in result.output
    assert [p for p in nowhere.rglob("*") if p.is_file()] == []


def test_the_workspace_is_found_from_a_folder_inside_it(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = here / "notes" / "deep"
    inner.mkdir(parents=True)
    found = workspace.find(inner)
    assert found is not None
    assert found.root == here.resolve()


def test_outside_a_workspace_the_message_says_how_to_make_one(nowhere: Path) -> None:
    with pytest.raises(BadInputError, match="attnpack init"):
        workspace.needed(nowhere)


@pytest.mark.parametrize(
    "broken", ["", "{", "[]", '{"version": 1}', '{"version": "x"}', "null", '{"version": null}']
)
def test_a_broken_state_is_set_aside_and_rebuilt(here: Path, broken: str) -> None:
    path = here / ".attnpack" / "state.json"
    path.write_text(broken)
    assert attnpack("list").exit_code == 0
    assert (here / ".attnpack" / "state.json.broken-1").read_text() == broken
    assert state(here)["backend"] == "numpy"
    path.write_text(broken)
    assert attnpack("list").exit_code == 0
    assert (here / ".attnpack" / "state.json.broken-2").read_text() == broken


def test_a_rebuilt_state_knows_the_backend_from_the_files(nowhere: Path) -> None:
    attnpack("init", "--backend", "torch")
    (nowhere / ".attnpack" / "state.json").write_text("{")
    found = workspace.find(nowhere)
    assert found is not None
    assert found.backend is Backend.TORCH


def test_a_state_of_a_newer_attnpack_is_left_alone(here: Path) -> None:
    path = here / ".attnpack" / "state.json"
    newer = path.read_text().replace('"version": 1', '"version": 2')
    path.write_text(newer)
    result = attnpack("list")
    assert result.exit_code == 2
    assert "newer attnpack" in result.output
    assert path.read_text() == newer


def test_what_is_remembered_survives_writing_and_reading(here: Path) -> None:
    found = workspace.needed(here)
    known = progress.Progress(
        Status.FAILED, 3, "2026-01-01T00:00:00+00:00", None, "scale-missing", ("a", "b"), {"a": 2}
    )
    found.saved(found.state.with_progress("softmax", known))
    assert workspace.needed(here).state.progress("softmax") == known


def test_reset_keeps_a_backup_and_says_where(here: Path) -> None:
    (here / "softmax.py").write_text("mine = 1\n")
    result = attnpack("reset", "softmax")
    assert result.exit_code == 0
    assert (here / "softmax.py").read_text() == stubs.stub_text(
        pack.load(), Backend.NUMPY, "softmax.py"
    )
    (backup,) = (here / ".attnpack" / "backups").rglob("softmax.py")
    assert backup.read_text() == "mine = 1\n"
    assert str(backup.relative_to(here)) in flat(result.output)


def test_two_resets_in_one_second_keep_two_backups(here: Path) -> None:
    for text in ("first = 1\n", "second = 2\n"):
        (here / "softmax.py").write_text(text)
        attnpack("reset", "softmax")
    kept = {p.read_text() for p in (here / ".attnpack" / "backups").rglob("softmax.py")}
    assert kept == {"first = 1\n", "second = 2\n"}


def test_reset_all_puts_every_exercise_back(here: Path) -> None:
    for file in FILES:
        (here / file).write_text("mine = 1\n")
    assert attnpack("reset", "--all").exit_code == 0
    assert all("TODO" in (here / file).read_text() for file in FILES)
    assert len(list((here / ".attnpack" / "backups").rglob("*.py"))) == len(FILES)


def test_reset_of_an_untouched_stub_makes_no_backup(here: Path) -> None:
    assert "softmax.py is the stub." in attnpack("reset", "softmax").output
    assert not (here / ".attnpack" / "backups").exists()


def test_reset_says_what_it_needs(here: Path) -> None:
    for words in (["reset"], ["reset", "softmax", "--all"]):
        result = attnpack(*words)
        assert result.exit_code == 2
        assert "attnpack reset --all" in result.output


def test_a_wrong_name_is_answered_with_a_close_one(here: Path) -> None:
    result = attnpack("reset", "sofmax")
    assert result.exit_code == 2
    assert "Did you mean the exercise softmax?" in result.output
