"""How a command ends: 0, 1, 2, 3 and 130, and who is blamed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from commands import attnpack, process

from attnpack import cli
from attnpack.commands import explain
from attnpack.errors import BadInputError, OwnFaultError


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (BadInputError("no such thing"), 2, "no such thing"),
        (OwnFaultError("the guest is gone"), 3, "attnpack's fault, not yours"),
        (ZeroDivisionError("a bug of ours"), 3, "attnpack's fault, not yours"),
        (KeyboardInterrupt(), 130, "Interrupted."),
    ],
)
def test_every_way_to_end_has_its_code_and_its_words(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, code: int, said: str
) -> None:
    def fail(bug: str | None = None) -> None:
        raise error

    monkeypatch.setattr(explain, "explain", fail)
    result = attnpack("explain")
    assert result.exit_code == code
    assert said in result.stderr
    assert result.stdout == ""


def test_a_fault_of_ours_shows_what_to_report(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise ZeroDivisionError("a bug of ours")

    monkeypatch.setattr(explain, "explain", fail)
    assert "ZeroDivisionError: a bug of ours" in attnpack("explain").stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("words", [["explain"], ["check", "--json"], ["check"]])
def test_a_full_disk_behind_the_output_is_no_fault_of_ours(here: Path, words: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "attnpack", *words],
            cwd=here,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == "The output could not be written: No space left on device.\n"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")
def test_a_closed_output_is_borne(nowhere: Path) -> None:
    for streams in (">&-", ">&- 2>&-"):
        command = f"{sys.executable} -m attnpack explain {streams}"
        done = subprocess.run(["sh", "-c", command], capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    "words", [["no-such-command"], ["check", "--no-such-option"], ["check", "--backend", "jax"]]
)
def test_wrong_usage_is_two(here: Path, words: list[str]) -> None:
    assert attnpack(*words).exit_code == 2


def test_help_names_every_command_in_eighty_columns(nowhere: Path) -> None:
    done = process("--help", cwd=nowhere, env={"COLUMNS": "80"})
    assert done.returncode == 0
    for name, command in cli.COMMANDS.items():
        assert f"{name} " in done.stdout
        assert command.summary in done.stdout, "a summary that is cut off"


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_has_help_of_its_own(nowhere: Path, name: str) -> None:
    result = attnpack(name, "--help")
    assert result.exit_code == 0
    assert cli.COMMANDS[name].summary in " ".join(result.output.split())


def test_the_version_is_printed(nowhere: Path) -> None:
    assert attnpack("--version").output == "attnpack 0.1.0\n"
