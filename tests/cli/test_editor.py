"""Opening the learner's editor at a line."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from attnpack.errors import BadInputError
from attnpack.workspace import editor

FILE = Path("softmax.py")


@pytest.mark.parametrize(
    ("named", "words"),
    [
        ("vim", ["vim", "+7", "softmax.py"]),
        ("/usr/bin/nano", ["/usr/bin/nano", "+7", "softmax.py"]),
        ("code --wait", ["code", "--wait", "-g", "softmax.py:7"]),
        ("hx", ["hx", "softmax.py:7"]),
        ("notepad", ["notepad", "softmax.py"]),
    ],
)
def test_each_editor_gets_the_line_in_its_own_way(named: str, words: list[str]) -> None:
    assert editor.words(named, FILE, 7) == words


def test_no_editor_is_told_how_to_name_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    with pytest.raises(BadInputError, match="export EDITOR"):
        editor.open_at(FILE, 7)


def test_an_editor_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", "no-such-editor")
    with pytest.raises(BadInputError, match="no-such-editor"):
        editor.open_at(FILE, 7)


def test_the_editor_is_run_and_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "editor.py"
    script.write_text("import sys; open(sys.argv[2], 'a').write(sys.argv[1])")
    target = tmp_path / "softmax.py"
    target.write_text("")
    monkeypatch.setenv("VISUAL", f"{sys.executable} {script}")
    editor.open_at(target, 7)
    assert target.read_text() == "+7"
