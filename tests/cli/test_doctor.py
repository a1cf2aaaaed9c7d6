"""What is wrong with an installation, and what to do."""

from __future__ import annotations

import importlib.metadata
from typing import TYPE_CHECKING, Self

import pytest
from commands import attnpack, flat, process

from attnpack import doctor, pack
from attnpack.guest.confine.policy import Tier
from attnpack.host import isolation, pool
from attnpack.host.isolation import Isolation

if TYPE_CHECKING:
    from pathlib import Path


def finding(here: Path, subject: str) -> doctor.Finding:
    return next(found for found in doctor.findings(here) if found.subject == subject)


def test_a_good_installation_has_nothing_wrong(here: Path) -> None:
    result = attnpack("doctor")
    assert result.exit_code == 0, result.output
    assert "Nothing is wrong here." in result.output
    assert f"{len(pack.load().exercises)} exercises" in result.output
    assert str(here) in "".join(result.output.split())


@pytest.mark.parametrize(("name", "health"), [("rich", "wrong"), ("watchfiles", "note")])
def test_a_missing_library_is_told_with_the_command_that_installs_it(
    here: Path, monkeypatch: pytest.MonkeyPatch, name: str, health: str
) -> None:
    version = importlib.metadata.version

    def missing(asked: str) -> str:
        if asked == name:
            raise importlib.metadata.PackageNotFoundError(name)
        return version(asked)

    monkeypatch.setattr(importlib.metadata, "version", missing)
    found = finding(here, name)
    assert found.health == health
    assert "pip install" in found.said


def test_something_wrong_ends_with_one(here: Path) -> None:
    (here / "numpy.py").write_text("")
    result = attnpack("doctor")
    assert result.exit_code == 1
    assert "numpy.py in your workspace hides the library; rename it" in flat(result.output)


def test_missing_parts_of_the_pack_are_named(
    here: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(type(pack.load()), "root", tmp_path)
    found = finding(here, "exercises")
    assert found.health is doctor.Health.WRONG
    assert "stub of softmax.py for numpy" in found.said


def test_code_that_cannot_be_run_is_told(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class NoGuests:
        def __enter__(self) -> Self:
            return self

        def __exit__(self, *_: object) -> None:
            return None

        def run(self, task: object) -> object:
            from attnpack.calls import Answer, Outcome, Transcript

            return Transcript(Answer("load", Outcome.NOT_REACHED), {}, fault="no process starts")

    monkeypatch.setattr(pool, "open_pool", lambda _: NoGuests())
    found = finding(here, "your code")
    assert found.health is doctor.Health.WRONG
    assert "no process starts" in found.said


def test_weak_isolation_is_a_note(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "probe", lambda: Isolation(Tier.PROCESS, (), {}))
    assert finding(here, "isolation").health is doctor.Health.NOTE


def test_no_workspace_is_a_note(nowhere: Path) -> None:
    assert "attnpack init" in finding(nowhere, "workspace").said


def test_a_state_that_was_set_aside_is_told(here: Path) -> None:
    (here / ".attnpack" / "state.json").write_text("{")
    assert "state.json.broken-1" in finding(here, "state").said


def test_a_workspace_of_another_pack_is_told_to_update(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pack.Pack, "fingerprint", lambda _: "sha256:newer")
    assert "attnpack update" in finding(here, "stubs").said


def test_a_terminal_without_signs_is_told(here: Path) -> None:
    done = process("doctor", cwd=here, encoding="ascii")
    assert done.returncode == 0, done.stderr
    assert "PYTHONUTF8=1" in flat(done.stdout)
