"""Folders, files and notebooks are read; whatever cannot be read is said in words that help."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from attnpack import pack, submission
from attnpack.submission import Form, Submission, SubmissionError
from attnpack.terms import Backend

if TYPE_CHECKING:
    from collections.abc import Callable

    Write = Callable[..., Path]

SOFTMAX = "import numpy as np\n\ndef softmax(scores):\n    return np.exp(scores)\n"
NAMES = [exercise.name for exercise in pack.load().exercises]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Files in a new folder; gives the folder."""

    def files(**contents: str | bytes) -> Path:
        for stem, content in contents.items():
            data = content.encode() if isinstance(content, str) else content
            (tmp_path / f"{stem}.py").write_bytes(data)
        return tmp_path

    return files


def alone(write: Write, content: str | bytes) -> Submission:
    return submission.load(write(attention=content) / "attention.py")


def refusal(path: Path) -> str:
    with pytest.raises(SubmissionError) as refused:
        submission.load(path)
    return str(refused.value)


def test_a_folder_has_one_entry_for_each_file_and_takes_others_along(write: Write) -> None:
    read = submission.load(write(softmax=SOFTMAX, rows="ROWS = 3", causal_mask=""))
    assert read.form is Form.FOLDER
    assert read.entries == {"softmax": "softmax.py"}
    assert set(read.sources) == {"softmax.py", "rows.py", "causal_mask.py"}
    assert read.notes == ()


def test_a_lone_file_defines_what_it_names(write: Write) -> None:
    text = (
        SOFTMAX
        + """
if True:
    from somewhere import attention_scores
apply_attention: object = lambda weights, V: weights @ V
class SelfAttention:
    def causal_mask(self): ...
"""
    )
    read = alone(write, text)
    assert read.form is Form.FILE
    assert list(read.entries) == ["softmax", "attention_scores", "apply_attention", "SelfAttention"]
    assert read.line("softmax") == 3
    assert read.line("causal_mask") is None
    assert read.started("softmax")
    assert not read.started("causal_mask")


@pytest.mark.parametrize("backend", list(Backend))
def test_stubs_are_not_started_and_solutions_are(backend: Backend) -> None:
    stubs = submission.load(pack.load().stub_path(backend, "softmax.py").parent)
    solved = submission.load(pack.load().reference_path(backend, "softmax.py").parent)
    names = [exercise.name for exercise in pack.load().exercises if backend in exercise.backends]
    assert list(stubs.entries) == list(solved.entries) == names
    assert not any(stubs.started(name) for name in names)
    assert all(solved.started(name) for name in names)
    assert stubs.backend is solved.backend is backend


@pytest.mark.parametrize(
    "body",
    ["pass", "...", '"""Words."""', "raise NotImplementedError", "raise NotImplementedError(1)"],
)
def test_a_body_that_says_nothing_is_not_started(write: Write, body: str) -> None:
    assert not alone(write, f"def softmax(scores):\n    {body}\n").started("softmax")


@pytest.mark.parametrize("body", ["return scores", "return None", "raise ValueError", "x = 1"])
def test_any_other_body_is_started(write: Write, body: str) -> None:
    assert alone(write, f"def softmax(scores):\n    {body}\n").started("softmax")


def test_a_class_with_one_method_written_is_started(write: Write) -> None:
    methods = ["def __init__(self, d): self.d = d", "def forward(self, x): pass"]
    text = "\n    ".join(["class SelfAttention:", *methods])
    assert alone(write, text).started("SelfAttention")


def test_a_file_that_does_not_parse_is_each_exercises_error_and_not_a_missing_name(
    write: Write,
) -> None:
    read = alone(write, "def softmax(:\n")
    assert list(read.entries) == NAMES
    assert read.started("softmax")
    assert read.line("softmax") is None


def test_in_a_folder_a_syntax_error_costs_its_own_exercise(write: Write) -> None:
    read = submission.load(
        write(softmax="def softmax(:", causal_mask="def causal_mask(n): return n")
    )
    assert list(read.entries) == ["softmax", "causal_mask"]


@pytest.mark.parametrize(
    ("text", "backend"),
    [
        ("import torch", Backend.TORCH),
        ("def softmax(s):\n    from torch import nn", Backend.TORCH),
        ("import torch.nn.functional as F", Backend.TORCH),
        ("from attnpack.value import Value", Backend.VALUE),
        ("from attnpack import value", Backend.VALUE),
        ("import attnpack.value as v", Backend.VALUE),
        ("import numpy", Backend.NUMPY),
        ("import torchlike", Backend.NUMPY),
        ("not python (", Backend.NUMPY),
    ],
)
def test_the_backend_is_read_off_the_imports(write: Write, text: str, backend: Backend) -> None:
    assert alone(write, f"{text}\ndef softmax(scores): ...\n").backend is backend


@pytest.mark.parametrize(
    ("text", "backend"),
    [
        ("import numpy as np\ndef softmax(s):\n    return np.exp(s)\nimport torch", Backend.NUMPY),
        ("import torch, numpy as np\ndef softmax(s):\n    return torch.exp(s)", Backend.TORCH),
        ("import torch\ndef softmax(s):\n    return s.exp()", Backend.TORCH),
    ],
)
def test_an_import_that_no_exercise_uses_does_not_choose_the_backend(
    write: Write, text: str, backend: Backend
) -> None:
    assert alone(write, text).backend is backend


def test_of_two_definitions_the_last_counts_and_a_note_says_so(write: Write) -> None:
    read = alone(write, SOFTMAX + "\ndef softmax(scores):\n    pass\n")
    assert read.line("softmax") == 6
    assert not read.started("softmax")
    assert "defined 2 times" in read.notes[0]
    assert "attention.py:3; attention.py:6" in read.notes[0]


def test_files_named_like_libraries_are_left_out_with_a_note(write: Write) -> None:
    read = submission.load(write(softmax=SOFTMAX, numpy="", random="", test_softmax="assert 0"))
    assert set(read.sources) == {"softmax.py"}
    assert [note.split()[0] for note in read.notes] == ["numpy.py", "random.py"]
    assert "Rename the file" in read.notes[0]


def test_a_link_out_of_the_folder_is_not_followed(write: Write, tmp_path_factory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secret.py"
    outside.write_text("SECRET = 1")
    root = write(softmax=SOFTMAX)
    (root / "causal_mask.py").symlink_to(outside)
    read = submission.load(root)
    assert "causal_mask.py" not in read.sources
    assert "outside the folder" in read.notes[0]


def test_in_ones_own_folder_a_link_is_followed_and_one_to_nothing_is_named(
    write: Write, tmp_path_factory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "mine.py"
    outside.write_text("def causal_mask(seq_len): ...")
    root = write(softmax=SOFTMAX)
    (root / "causal_mask.py").symlink_to(outside)
    (root / "apply_attention.py").symlink_to(root / "nothing.py")
    read = submission.own(root)
    assert read.entries == {"softmax": "softmax.py", "causal_mask": "causal_mask.py"}
    assert read.notes == (
        "apply_attention.py is left out: it is a link to a file that is not there.",
    )


def test_a_coding_line_is_respected(write: Write) -> None:
    text = "# -*- coding: latin-1 -*-\ndef softmax(s): return 'é'\n"
    read = alone(write, text.encode("latin-1"))
    assert "'é'" in read.sources["attention.py"]
    assert read.notes == ()


def test_a_byte_order_mark_and_other_line_ends_are_no_trouble(write: Write) -> None:
    read = alone(write, b"\xef\xbb\xbfdef softmax(s):\r\n    return s\r\n")
    assert read.sources["attention.py"] == "def softmax(s):\n    return s\n"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"# caf\xe9\ndef softmax(s): return s\n", "byte 0xe9 in line 1"),
        ("def softmax(s): return s\n".encode("utf-16"), "UTF-16"),
        (b"# coding: klingon\ndef softmax(s): return s\n", "does not know"),
    ],
)
def test_other_encodings_are_read_and_noted(write: Write, data: bytes, said: str) -> None:
    read = alone(write, data)
    assert list(read.entries) == ["softmax"]
    assert said in read.notes[0]
    assert "save it as UTF-8" in read.notes[0]


def test_a_path_that_is_not_there_is_met_with_the_one_that_is(write: Write) -> None:
    root = write(attention=SOFTMAX)
    assert "Did you mean" in refusal(root / "atention.py")
    assert "attention.py" in refusal(root / "atention.py")
    assert "no file or folder" in refusal(root / "nowhere" / "x.py")


def test_a_folder_without_exercises_says_which_files_it_expects(write: Write) -> None:
    message = refusal(write(other="x = 1"))
    assert "softmax.py" in message
    assert "attnpack init" in message
    assert "attnpack check" in message


def test_an_empty_file_says_what_to_define(write: Write) -> None:
    message = refusal(write(attention="\n  \n") / "attention.py")
    assert "empty" in message
    assert "softmax" in message


def test_a_file_that_defines_none_of_the_names_is_noted(write: Write) -> None:
    read = alone(write, "x = 1")
    assert read.entries == {}
    assert "defines none" in read.notes[0]


@pytest.mark.parametrize("name", ["notes.txt", "attention", "picture.png"])
def test_what_is_no_python_file_is_refused_by_name(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("x")
    assert "not a Python file" in refusal(tmp_path / name)


def test_zero_bytes_are_no_python(write: Write) -> None:
    assert "zero bytes" in refusal(write(attention=b"x = 1\0") / "attention.py")


def test_a_file_that_is_too_large_is_refused(write: Write) -> None:
    assert "larger than 1 MiB" in refusal(write(attention="#" * (2 << 20)) / "attention.py")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files here")
def test_a_pipe_is_neither_file_nor_folder(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "attention.py")
    assert "neither a file nor a folder" in refusal(tmp_path / "attention.py")


def test_a_file_that_may_not_be_read_says_how_to_change_that(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(attention=SOFTMAX) / "attention.py"

    def refuse(self: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    message = refusal(path)
    assert "No permission to read" in message
    assert "chmod" in message


def notebook(path: Path, *cells: str, kind: str = "code") -> Path:
    content = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {},
        "cells": [
            {"cell_type": "markdown", "source": "# Attention"},
            *({"cell_type": kind, "source": cell.splitlines(keepends=True)} for cell in cells),
        ],
    }
    path.write_text(json.dumps(content))
    return path


def test_a_notebook_is_its_code_cells_with_a_way_back_to_them(tmp_path: Path) -> None:
    path = notebook(
        tmp_path / "work.ipynb",
        "%matplotlib inline\n!pip install x\nimport numpy as np\nhere = !ls",
        "def softmax(scores):\n    return scores",
        "print(softmax(np.ones((2, 2))))\nsoftmax?",
        "%%bash\nls",
    )
    read = submission.load(path)
    assert read.form is Form.NOTEBOOK
    assert read.entries == {"softmax": "work.ipynb"}
    assert read.place("work.ipynb", read.line("softmax") or 0) == "cell 2, line 1"
    text = read.sources["work.ipynb"]
    assert "import numpy" in text
    assert not {"%", "!", "?"} & set(text)
    compile(text, "work.ipynb", "exec")
    assert "6 lines" in read.remarks[0]
    assert read.remarks[1] == "Not run, since no exercise needs it: cell 3, line 1."


def test_a_cell_under_a_magic_that_runs_it_is_read_on_its_own_lines(tmp_path: Path) -> None:
    path = notebook(tmp_path / "work.ipynb", f"%%time\n{SOFTMAX}", "%%writefile x.py\ny = 1")
    read = submission.load(path)
    assert read.entries == {"softmax": "work.ipynb"}
    first = next(n for n, line in enumerate(SOFTMAX.splitlines(), 2) if line.startswith("def"))
    assert read.place("work.ipynb", read.line("softmax") or 0) == f"cell 1, line {first}"
    assert "y = 1" not in read.sources["work.ipynb"]


@pytest.mark.parametrize("version", [3, 4])
def test_what_nbformat_writes_is_read(tmp_path: Path, version: int) -> None:
    nbformat = pytest.importorskip("nbformat")
    content = nbformat.v4.new_notebook(
        cells=[
            nbformat.v4.new_markdown_cell("# Attention"),
            nbformat.v4.new_code_cell(SOFTMAX, execution_count=1),
        ]
    )
    text = nbformat.writes(nbformat.convert(content, version), version=version)
    (tmp_path / "work.ipynb").write_text(text, encoding="utf-8")
    read = submission.load(tmp_path / "work.ipynb")
    assert read.started("softmax")
    assert read.place("work.ipynb", read.line("softmax") or 0).startswith("cell 1, line ")


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"cells": 3}', "[" * 5000])
def test_what_is_no_notebook_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "work.ipynb"
    path.write_text(content)
    assert "is not a notebook" in refusal(path)


def test_a_name_that_two_cells_define_is_placed_by_cell(tmp_path: Path) -> None:
    cell = "def softmax(scores):\n    return scores"
    read = submission.load(notebook(tmp_path / "work.ipynb", cell, "import math", cell))
    assert any("2 times (cell 1, line 1; cell 3, line 1)" in note for note in read.notes)
