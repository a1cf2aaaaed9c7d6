"""Workspaces to work in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from attnpack.terms import Backend
from attnpack.workspace import scaffolding

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh numpy workspace, and the current folder."""
    root = tmp_path / "attention"
    scaffolding.init(root, Backend.NUMPY)
    monkeypatch.chdir(root)
    monkeypatch.setenv("COLUMNS", "80")
    return root


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is no workspace, and the current folder."""
    folder = tmp_path / "nowhere"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "80")
    return folder
