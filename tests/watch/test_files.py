"""Noticing saves: what editors do on the way does not count."""

from __future__ import annotations

import queue
import sys
from typing import TYPE_CHECKING

import pytest

from attnpack.watch import files
from attnpack.watch.events import NowPolling, Saved
from attnpack.watch.files import FileWatch, changed, snapshot

if TYPE_CHECKING:
    from pathlib import Path

LONG = 30
"""seconds after which nothing more will come"""


def next_save(events: queue.Queue[Saved | NowPolling]) -> frozenset[str]:
    while True:
        event = events.get(timeout=LONG)
        if isinstance(event, Saved):
            return event.names


@pytest.fixture(params=["events", "polling"])
def how(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "polling":
        monkeypatch.setitem(sys.modules, "watchfiles", None)
    else:
        pytest.importorskip("watchfiles")
    return request.param


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "softmax.py").write_text("a = 1\n")
    (tmp_path / "causal_mask.py").write_text("b = 1\n")
    return tmp_path


def test_a_plain_save_is_noticed(folder: Path, how: str) -> None:
    events: queue.Queue[Saved | NowPolling] = queue.Queue()
    with FileWatch(folder, events.put):
        (folder / "softmax.py").write_text("a = 2\n")
        assert next_save(events) == {"softmax.py"}


def test_an_atomic_save_by_rename_is_noticed(folder: Path, how: str) -> None:
    events: queue.Queue[Saved | NowPolling] = queue.Queue()
    with FileWatch(folder, events.put):
        (folder / ".softmax.py.tmp").write_text("a = 2\n")
        (folder / ".softmax.py.tmp").replace(folder / "softmax.py")
        assert next_save(events) == {"softmax.py"}


def test_a_file_that_comes_or_goes_is_noticed(folder: Path, how: str) -> None:
    events: queue.Queue[Saved | NowPolling] = queue.Queue()
    with FileWatch(folder, events.put):
        (folder / "softmax.py").unlink()
        assert next_save(events) == {"softmax.py"}
        (folder / "softmax.py").write_text("a = 3\n")
        assert next_save(events) == {"softmax.py"}


def test_swap_files_backups_and_saves_without_a_change_are_no_saves(folder: Path, how: str) -> None:
    events: queue.Queue[Saved | NowPolling] = queue.Queue()
    with FileWatch(folder, events.put):
        (folder / ".softmax.py.swp").write_text("swap")
        (folder / "softmax.py~").write_text("backup")
        (folder / "4913").write_text("vim's probe")
        (folder / "softmax.py").write_text("a = 1\n")
        (folder / "causal_mask.py").write_text("b = 2\n")
        assert next_save(events) == {"causal_mask.py"}


def test_one_file_can_be_watched_alone(folder: Path, how: str) -> None:
    events: queue.Queue[Saved | NowPolling] = queue.Queue()
    with FileWatch(folder / "softmax.py", events.put):
        (folder / "causal_mask.py").write_text("b = 2\n")
        (folder / "softmax.py").write_text("a = 2\n")
        assert next_save(events) == {"softmax.py"}


def test_without_watchfiles_it_says_that_it_polls_and_how_to_change_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    events: queue.Queue[Saved | NowPolling] = queue.Queue()
    with FileWatch(folder, events.put):
        told = events.get(timeout=LONG)
    assert isinstance(told, NowPolling)
    assert "attnpack[watch]" in told.reason


@pytest.mark.parametrize("refusal", [OSError("inotify limit reached"), RuntimeError("no")])
def test_a_file_system_that_refuses_is_polled(
    folder: Path, monkeypatch: pytest.MonkeyPatch, refusal: Exception
) -> None:
    watchfiles = pytest.importorskip("watchfiles")

    def refuse(*_: object, **__: object) -> None:
        raise refusal

    monkeypatch.setattr(watchfiles, "watch", refuse)
    events: queue.Queue[Saved | NowPolling] = queue.Queue()
    with FileWatch(folder, events.put):
        told = events.get(timeout=LONG)
        assert isinstance(told, NowPolling)
        assert str(refusal) in told.reason
        (folder / "softmax.py").write_text("a = 2\n")
        assert next_save(events) == {"softmax.py"}


def test_a_file_system_that_announces_nothing_is_found_out_and_polled(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watchfiles = pytest.importorskip("watchfiles")
    monkeypatch.setattr(watchfiles, "watch", lambda *_, **__: iter(()))
    monkeypatch.setattr(files, "LOOK_ANYWAY_S", 0.05)
    events: queue.Queue[Saved | NowPolling] = queue.Queue()
    with FileWatch(folder, events.put):
        (folder / "softmax.py").write_text("a = 2\n")
        first = events.get(timeout=LONG)
        assert isinstance(first, NowPolling)
        assert "announces no changes" in first.reason
        assert next_save(events) == {"softmax.py"}


def test_a_half_written_file_is_waited_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "softmax.py"
    steps = iter(["", "a =", "a = 2\n"])

    def sleep(_: float) -> None:
        path.write_text(next(steps, "a = 2\n"))

    watch = FileWatch(folder, lambda _: None)
    monkeypatch.setattr(files.time, "sleep", sleep)
    assert watch._settled()["softmax.py"] == b"a = 2\n"


def test_changed_names_what_is_new_gone_or_other() -> None:
    before = {"a.py": b"1", "b.py": b"2", "c.py": b"3"}
    after = {"a.py": b"1", "b.py": b"x", "d.py": b"4"}
    assert changed(before, after) == {"b.py", "c.py", "d.py"}


def test_a_snapshot_leaves_out_hidden_files_and_other_kinds(folder: Path) -> None:
    (folder / ".hidden.py").write_text("")
    (folder / "notes.md").write_text("")
    assert set(snapshot(folder)) == {"softmax.py", "causal_mask.py"}
