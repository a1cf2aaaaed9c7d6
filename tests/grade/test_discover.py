"""Folders as platforms make them, and as students do."""

from __future__ import annotations

import json
import os
import zipfile
from typing import TYPE_CHECKING

import pytest

from attnpack import pack
from attnpack.errors import BadInputError
from attnpack.grade.archive import UnreadableError
from attnpack.grade.choosing import choose
from attnpack.grade.discover import discover, left_aside
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
    main = f"from helpers import add\n{SOFTMAX}{CAUSAL}"
    helpers = {"ada/helpers.py": "def add(): ...\n", "ada/never_imported.py": "def x(): ...\n"}
    found = intakes(lay({"ada/main.py": main, **helpers}))
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
    assert "link" in found["bob.py"].problem
    assert "link" in found["cid"].problem
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


# Where the work lies.


def entries(files: Mapping[str, str]) -> dict[str, str]:
    """Exercise -> the student's name for the file that counts."""
    chosen = choose({path: text.encode() for path, text in files.items()}, pack.load())
    found = chosen.submission.entries
    return {name: chosen.shown.get(file, file) for name, file in found.items()}


OTHER = SOFTMAX.replace("scores\n", "2 * scores\n")
STUB = "def softmax(scores):\n    raise NotImplementedError\n"
SCORES = "def attention_scores(Q, K, d_k):\n    return Q\n"


@pytest.mark.parametrize(
    ("files", "softmax"),
    [
        ({"main.py": "print(1)\n", "src/softmax.py": SOFTMAX}, "src/softmax.py"),
        ({"softmax.py": STUB, "work/softmax.py": SOFTMAX}, "work/softmax.py"),
        ({"softmax.py": SOFTMAX, "old/softmax.py": OTHER}, "softmax.py"),
        ({"a/softmax.py": SOFTMAX, "b/softmax.py": OTHER, "b/causal_mask.py": CAUSAL},
         "b/softmax.py"),
        ({"softmax.py": SOFTMAX, "attention.py": OTHER + CAUSAL}, "softmax.py"),
        ({"draft.py": OTHER, "final.py": SOFTMAX + CAUSAL}, "final.py"),
        ({"attention.py": OTHER, "attention-1.py": SOFTMAX}, "attention-1.py"),
        ({"softmax-1.py": SOFTMAX, "causal_mask-1.py": CAUSAL}, "softmax-1.py"),
        ({"test_softmax.py": OTHER, "softmax.py": SOFTMAX}, "softmax.py"),
        ({"Softmax.py": SOFTMAX, "mask.py": CAUSAL}, "Softmax.py"),
        ({"softmax.py": "def softmax(:", "notes.py": "x = 1\n"}, "softmax.py"),
    ],
)  # fmt: skip
def test_sources_are_found_by_what_they_define(files: Mapping[str, str], softmax: str) -> None:
    assert entries(files)["softmax"] == softmax


def cells_of(*cells: str) -> str:
    found = [{"cell_type": "code", "source": cell, "outputs": []} for cell in cells]
    return json.dumps({"cells": found, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def test_several_notebooks_are_one_submission_and_each_has_its_cells() -> None:
    files = {"a.ipynb": cells_of("x = 1", SOFTMAX), "b.ipynb": cells_of(CAUSAL), "c.ipynb": "{"}
    chosen = choose({path: text.encode() for path, text in files.items()}, pack.load())
    found = chosen.submission
    assert entries(files) == {"softmax": "a.ipynb", "causal_mask": "b.ipynb"}
    placed = [found.place(found.entries[name], found.line(name) or 0) for name in found.entries]
    assert placed == ["a.ipynb, cell 2, line 1", "b.ipynb, cell 1, line 1"]
    assert any("c.ipynb is not a notebook" in note for note in found.notes)


def test_of_a_full_notebook_and_a_draft_the_full_one_counts() -> None:
    files = {"a draft.ipynb": cells_of(SOFTMAX), "work.ipynb": cells_of(OTHER, CAUSAL)}
    assert set(entries(files).values()) == {"work.ipynb"}


def test_modules_are_found_by_the_names_that_they_are_imported_by() -> None:
    files = {
        "main.py": "from src.causal_mask import causal_mask\n",
        "src/Softmax.py": SOFTMAX,
        "src/causal_mask.py": f"from src.Softmax import softmax\nfrom .steps import *\n{CAUSAL}",
        "src/attention_scores.py": f"from Softmax import softmax\nimport softmax\n{SCORES}",
        "src/steps.py": "from ..common.core import one\n",
        "common/core.py": "one = 1\n",
        "src/code.py": "x = 1\n",
    }
    chosen = choose({path: text.encode() for path, text in files.items()}, pack.load())
    own = {file: text for file, text in chosen.submission.sources.items() if text in files.values()}
    assert set(own) == {
        "softmax.py", "causal_mask.py", "attention_scores.py", "steps.py", "common/core.py"
    }  # fmt: skip
    assert {"Softmax.py", "src/Softmax.py", "src/__init__.py"} <= set(chosen.submission.sources)


# Packings.


def zip_into(path: Path, files: Mapping[str, str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)


def test_canvas_numbers_what_is_handed_in_again(lay: Lay) -> None:
    folder = lay({"adal_12_100_softmax-1.py": SOFTMAX, "adal_12_101_causal_mask-2.py": CAUSAL})
    [hand_in] = discover(folder)
    assert set(take_in(hand_in).files) == {"softmax.py", "causal_mask.py"}


def test_of_two_archives_the_latest_counts_and_it_is_said(lay: Lay) -> None:
    folder = lay({"adal_12_300_report.pdf": "%PDF", "cid/notes.txt": "-"})
    zip_into(folder / "adal_12_100_hw.zip", {"softmax.py": OTHER})
    zip_into(folder / "adal_12_200_hw-1.zip", {"softmax.py": SOFTMAX})
    zip_into(folder / "bobb_13_200_hw.zip", {"softmax.py": OTHER})
    (folder / "bobb_13_201_work.ipynb").write_text(cells_of(SOFTMAX))
    zip_into(folder / "cid" / "hw.zip", {"softmax.py": OTHER})
    zip_into(folder / "cid" / "hw-1.zip", {"softmax.py": SOFTMAX})
    found = intakes(folder)
    assert list(found["adal_12"].files.values()) == [SOFTMAX.encode()]
    assert list(found["bobb_13"].files) == ["attention.ipynb"]
    assert list(found["cid"].files.values()) == [SOFTMAX.encode()]
    assert any("hw-1.zip" in note for note in found["adal_12"].notes)
    assert "report.pdf is not read: it is no source." in found["adal_12"].notes
    assert any("what came last is judged: work.ipynb" in note for note in found["bobb_13"].notes)
    assert any("the latest, hw-1.zip, is judged" in note for note in found["cid"].notes)


def test_parts_are_no_versions(lay: Lay) -> None:
    folder = lay({"ada/readme.txt": "-"})
    zip_into(folder / "ada" / "part-1.zip", {"softmax.py": SOFTMAX})
    zip_into(folder / "ada" / "part-2.zip", {"causal_mask.py": CAUSAL})
    assert entries_of(take_in(discover(folder)[0])) == {"softmax", "causal_mask"}


def entries_of(intake: Intake) -> set[str]:
    assert not intake.problem
    return set(load(intake.files).entries)


def test_an_archive_in_an_archive_is_opened(lay: Lay, tmp_path: Path) -> None:
    inner = tmp_path / "inner.zip"
    zip_into(inner, {"work/softmax.py": SOFTMAX})
    folder = lay({})
    folder.mkdir()
    with zipfile.ZipFile(folder / "ada.zip", "w") as archive:
        archive.write(inner, "hand-in/hw.zip")
    assert entries_of(take_in(discover(folder)[0])) == {"softmax"}


def test_blackboards_last_attempt_counts(lay: Lay) -> None:
    first, last = "attempt_2026-01-02-03-04-05", "attempt_2026-01-03-03-04-05"
    folder = lay(
        {
            f"hw_ada_{first}_a.py": OTHER,
            f"hw_ada_{last}_a.py": SOFTMAX,
            f"hw_ada_{last}.txt": "Name: Ada",
            f"hw_bob_{first}_a.py": SOFTMAX,
        }
    )
    found = {hand_in.owner.student: take_in(hand_in) for hand_in in discover(folder)}
    assert list(found) == ["ada", "bob"]
    assert list(found["ada"].files.values()) == [SOFTMAX.encode()]
    assert any("2026-01-03" in note for note in found["ada"].notes)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("ada.pdf", ".pdf"),
        ("ada.rar", ".rar"),
        ("adal_12_100_essay.docx", ".docx"),
        ("adal_12_100_notes.txt", ".txt"),
        ("..py", "begins with a dot"),
        (".ada.py", "begins with a dot"),
        ("ada/report.pdf", "report.pdf"),
        ("ada/.softmax.py", ".softmax.py"),
    ],
)
def test_nobody_vanishes_whose_upload_holds_nothing_to_grade(lay: Lay, name: str, why: str) -> None:
    found = intakes(lay({name: "x", "bob.py": SOFTMAX}))
    assert len(found) == 2
    [problem] = [intake.problem for intake in found.values() if intake.problem]
    assert why in problem


def test_what_is_nobodys_is_told(lay: Lay) -> None:
    names = {"roster.csv": "", "rubric.toml": "", "notes.txt": "", ".DS_Store": "", "a.py": SOFTMAX}
    folder = lay(names)
    assert left_aside(folder) == ["notes.txt", "roster.csv", "rubric.toml"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in the file system")
def test_a_pipe_and_a_deep_folder_are_one_submissions_problem(lay: Lay) -> None:
    folder = lay({"ada/softmax.py": SOFTMAX})
    os.mkfifo(folder / "bob.py")
    os.mkfifo(folder / "ada" / "pipe.py")
    deep = folder / "ada"
    for _ in range(200):
        deep = deep / "a"
        deep.mkdir()
    found = intakes(folder)
    assert "ordinary file" in found["bob.py"].problem
    assert sources(found["ada"])
    assert any("64" in note for note in found["ada"].notes)
