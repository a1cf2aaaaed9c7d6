"""Folders as platforms make them, and as students do."""

from __future__ import annotations

import json
import zipfile
from typing import TYPE_CHECKING

import pytest

from attnpack.errors import BadInputError
from attnpack.grade.archive import UnreadableError
from attnpack.grade.discover import discover
from attnpack.grade.intake import Intake, take_in
from attnpack.grade.loading import load

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    Lay = Callable[[Mapping[str, str]], Path]

SOFTMAX = "def softmax(scores):\n    return scores\n"
CAUSAL = "def causal_mask(seq_len):\n    return seq_len\n"


def intakes(folder: Path) -> dict[str, Intake]:
    return {hand_in.submission: take_in(hand_in) for hand_in in discover(folder)}


def sources(intake: Intake) -> dict[str, str]:
    assert not intake.problem
    return dict(load(intake.files).sources)


def test_files_folders_notebooks_and_archives_lie_side_by_side(lay: Lay) -> None:
    notebook = {
        "cells": [{"cell_type": "code", "source": SOFTMAX, "metadata": {}, "outputs": []}],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    folder = lay(
        {
            "ada.py": SOFTMAX,
            "bob/softmax.py": SOFTMAX,
            "bob/causal_mask.py": CAUSAL,
            "cid.ipynb": json.dumps(notebook),
            "labels.json": "{}",
            "notes.txt": "",
            ".git/x.py": "",
            "__pycache__/y.py": "",
        }
    )
    with zipfile.ZipFile(folder / "dan.zip", "w") as archive:
        archive.writestr("dan's work/softmax.py", SOFTMAX)
    found = intakes(folder)
    assert list(found) == ["ada.py", "bob", "cid.ipynb", "dan.zip"]
    assert sources(found["ada.py"]) == {"attention.py": SOFTMAX}
    assert sources(found["bob"]) == {"softmax.py": SOFTMAX, "causal_mask.py": CAUSAL}
    assert SOFTMAX.strip() in sources(found["cid.ipynb"])["attention.ipynb"]
    assert load(found["dan.zip"].files).entries.keys() == {"softmax"}


def test_a_moodle_folder_holds_a_file_or_an_archive(lay: Lay) -> None:
    folder = lay({"Ada L_1_assignsubmission_file_/work/my_softmax.py": SOFTMAX})
    bob = folder / "Bob B_2_assignsubmission_file_"
    bob.mkdir()
    with zipfile.ZipFile(bob / "hw.zip", "w") as archive:
        archive.writestr("attention.py", CAUSAL)
    found = discover(folder)
    assert [hand_in.owner.student for hand_in in found] == ["Ada L", "Bob B"]
    assert sources(take_in(found[0])) == {"attention.py": SOFTMAX}
    assert sources(take_in(found[1])) == {"attention.py": CAUSAL}


def test_files_of_one_student_on_canvas_are_one_submission(lay: Lay) -> None:
    folder = lay(
        {
            "adal_12_100_softmax.py": SOFTMAX,
            "adal_12_101_causal_mask.py": CAUSAL,
            "bobb_LATE_13_102_attention.py": SOFTMAX,
        }
    )
    found = discover(folder)
    assert [hand_in.submission for hand_in in found] == ["adal_12", "bobb_LATE_13_102_attention.py"]
    assert sources(take_in(found[0])) == {"softmax.py": SOFTMAX, "causal_mask.py": CAUSAL}


def test_equal_texts_are_equal_submissions_whatever_their_names(lay: Lay) -> None:
    folder = lay({"ada.py": SOFTMAX, "bob/code.py": SOFTMAX, "cid.py": CAUSAL})
    found = intakes(folder)
    assert found["ada.py"].sha256 == found["bob"].sha256 != found["cid.py"].sha256
    assert found["bob"].shown == {"attention.py": "code.py"}


def test_the_same_text_for_another_backend_is_another_submission(lay: Lay) -> None:
    [hand_in] = discover(lay({"ada.py": SOFTMAX}))
    assert take_in(hand_in).sha256 != take_in(hand_in, "torch").sha256


def test_the_fullest_file_counts_where_none_is_named_as_an_exercise(lay: Lay) -> None:
    found = intakes(lay({"ada/main.py": SOFTMAX + CAUSAL, "ada/helpers.py": "def add(): ...\n"}))
    loaded = load(found["ada"].files)
    assert dict(loaded.entries) == {"softmax": "main.py", "causal_mask": "main.py"}
    assert set(loaded.sources) == {"main.py", "helpers.py"}


def test_links_are_not_followed(lay: Lay, tmp_path: Path) -> None:
    outside = tmp_path / "outside.py"
    outside.write_text(CAUSAL)
    folder = lay({"ada/softmax.py": SOFTMAX})
    (folder / "bob.py").symlink_to(outside)
    (folder / "cid").symlink_to(tmp_path, target_is_directory=True)
    (folder / "ada" / "causal_mask.py").symlink_to(outside)
    (folder / "ada" / "more").symlink_to(tmp_path, target_is_directory=True)
    found = intakes(folder)
    assert list(found) == ["ada"]
    assert CAUSAL not in sources(found["ada"]).values()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.py", b""),
        ("a.py", b"x = 1\0"),
        ("a.py", b"#" * (3 << 20)),
        ("a.ipynb", b"{"),
        ("a.ipynb", b"[" * 100_000),
        ("a.zip", b"PK"),
        ("a.tar.gz", b"\x1f\x8b"),
    ],
)
def test_what_cannot_be_read_is_a_problem_of_that_submission(
    lay: Lay, name: str, content: bytes
) -> None:
    folder = lay({"ok.py": SOFTMAX})
    (folder / name).write_bytes(content)
    found = intakes(folder)
    assert sources(found["ok.py"])
    assert "/tmp/" not in problem_of(found[name])


def problem_of(intake: Intake) -> str:
    """Why a submission cannot be read, whether it shows on the way in or in the worker."""
    if intake.problem:
        return intake.problem
    with pytest.raises(UnreadableError) as refusal:
        load(intake.files)
    return str(refusal.value)


def test_an_empty_folder_is_a_problem_and_not_a_missing_row(lay: Lay) -> None:
    folder = lay({"ada/readme.txt": "sorry"})
    assert "no .py file" in intakes(folder)["ada"].problem


def test_a_folder_without_submissions_says_what_is_looked_for(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="notebook"):
        discover(tmp_path)
    with pytest.raises(BadInputError, match="one file or folder per student"):
        discover(tmp_path / "none")
