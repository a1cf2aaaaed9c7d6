"""A guest that is started before anybody knows whether it will be needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from attnpack.host import early
from attnpack.host.pool import open_pool

if TYPE_CHECKING:
    from pathlib import Path


class Noted:
    """A launcher that only notes what is asked of it."""

    confined = False

    def __init__(self, backend: str, policy: str | None = None) -> None:
        self.backend = backend
        self.said: list[str] = []

    def start(self) -> None:
        self.said.append("start")

    def close(self) -> None:
        self.said.append("close")


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> list[Noted]:
    made: list[Noted] = []

    def launcher(backend: str, policy: str | None = None) -> Noted:
        made.append(Noted(backend, policy))
        return made[-1]

    monkeypatch.setattr("attnpack.host.launchers.launcher_for", launcher)
    monkeypatch.setattr(early, "_waiting", {})
    return made


@pytest.mark.parametrize(
    ("text", "words", "backend"),
    [
        ("import numpy as np\n", ["work.py"], "numpy"),
        ("import torch\n", ["work.py"], "torch"),
        ("from attnpack.value import Value\n", ["work.py", "softmax"], "value"),
        ("import numpy as np\n", ["--backend", "value", "work.py"], "value"),
        ("import numpy as np\n", ["work.py", "--backend=torch"], "torch"),
        ("import torch\n", ["nowhere.py"], "numpy"),
        ("import torch\n", [], "torch"),
    ],
)
def test_the_backend_is_what_is_said_or_what_the_file_imports(
    text: str,
    words: list[str],
    backend: str,
    launched: list[Noted],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "work.py").write_text(text)
    if words == ["nowhere.py"]:
        (tmp_path / "work.py").unlink()
    early.start(words)
    assert [one.backend for one in launched] == [backend]


def test_a_pool_takes_over_what_was_started_for_its_backend(launched: list[Noted]) -> None:
    early.start(["--backend", "numpy"])
    with open_pool("numpy"):
        assert len(launched) == 1
    assert launched[0].said == ["start", "start", "close"]


def test_a_confined_pool_takes_nothing_that_was_started_unconfined(launched: list[Noted]) -> None:
    early.start(["--backend", "numpy"])
    with open_pool("numpy", "{}"):
        assert len(launched) == 2


def test_what_nobody_takes_is_ended(launched: list[Noted]) -> None:
    early.start(["--backend", "torch"])
    with open_pool("numpy"):
        pass
    early._end_the_rest()
    assert launched[0].said == ["start", "close"]
