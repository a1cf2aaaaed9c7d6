"""Names as course platforms make them."""

from __future__ import annotations

import pytest

from attnpack.grade.names import gradescope_owners, owner_of, owners_of, safe_name

METADATA = """
submission_101:
  :submitters:
  - :name: Ada Lovelace
    :sid: '1815'
    :email: ada@example.edu
  :created_at: 2026-01-02 03:04:05
submission_102:
  :submitters:
  - :name: Alan Turing
  - :name: Kurt Gödel
"""


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("lovelaceada_12345_67890_attention.py", "lovelaceada"),
        ("lovelaceada_LATE_12345_67890_my_attention-2.ipynb", "lovelaceada"),
        ("Ada Lovelace_1815_assignsubmission_file_", "Ada Lovelace"),
        ("Ada Lovelace_1815_assignsubmission_file_attention.py", "Ada Lovelace"),
        ("submission_101", "submission_101"),
        ("ada.py", "ada"),
        ("ada.tar.gz", "ada"),
    ],
)
def test_the_student_is_read_off_the_name(name: str, student: str) -> None:
    assert owner_of(name).student == student


def test_canvas_and_moodle_numbers_are_kept_for_the_roster() -> None:
    assert "12345" in owner_of("lovelaceada_12345_67890_attention.py").ids
    assert owner_of("Ada Lovelace_1815_assignsubmission_file_").ids == ("1815",)


def test_the_name_that_the_student_gave_to_the_file_is_kept() -> None:
    assert owner_of("lovelaceada_12345_67890_my_attention.py").file == "my_attention.py"


def test_github_classroom_names_share_the_assignment() -> None:
    owners = owners_of(["attention-by-hand-ada", "attention-by-hand-alan-t"], {})
    assert [owner.student for owner in owners.values()] == ["ada", "alan-t"]


def test_names_that_share_no_prefix_stay_whole() -> None:
    owners = owners_of(["ada.py", "alan.py"], {})
    assert [owner.student for owner in owners.values()] == ["ada", "alan"]


def test_gradescope_metadata_names_the_submitters() -> None:
    owners = owners_of(["submission_101", "submission_102"], gradescope_owners(METADATA))
    assert owners["submission_101"].student == "Ada Lovelace"
    assert owners["submission_101"].ids == ("1815", "ada@example.edu")
    assert owners["submission_102"].student == "Alan Turing and Kurt Gödel"


def test_two_students_of_one_name_are_told_apart() -> None:
    owners = owners_of(["doe_1_11_a.py", "doe_2_12_a.py", "roe_3_13_a.py"], {})
    assert [owner.student for owner in owners.values()] == ["doe_1", "doe_2", "roe"]


@pytest.mark.parametrize(
    "name", ["../../x", "<script>.py", "con.py", "..", "a/b:c", "\x1b[31m", ""]
)
def test_file_names_made_of_any_name_are_safe(name: str) -> None:
    made = safe_name(name)
    assert made
    assert not set(made) & set('/\\:<>"|?*\x1b\x00')
    assert not made.startswith(".")
    assert made.lower() != "con"
