"""Names as course platforms make them."""

from __future__ import annotations

import pytest

from attnpack.grade.names import (
    Known,
    folded,
    gradescope_owners,
    owner_of,
    owners_of,
    safe_name,
    safe_names,
)

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
    assert owner_of("lovelaceada_12345_67890_a.py").ids == ((Known.CANVAS_ID, "12345"),)
    moodle = owner_of("Ada Lovelace_1815_assignsubmission_file_")
    assert moodle.ids == ((Known.PARTICIPANT, "1815"),)


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
    assert owners["submission_101"].ids == (
        (Known.SIS_ID, "1815"),
        (Known.EMAIL, "ada@example.edu"),
    )
    assert owners["submission_101"].when == "2026-01-02T03:04:05"
    assert owners["submission_102"].student == "Alan Turing and Kurt Gödel"
    assert [one.student for one in owners["submission_102"].members] == [
        "Alan Turing",
        "Kurt Gödel",
    ]


def test_what_students_code_printed_names_no_submitter() -> None:
    printed = """submission_103:
  :submitters:
  - :name: Mallory
    :sid: '666'
  :created_at: 2026-01-02 03:04:05 Z
  :results:
    :output: |
      submission_103:
  :submitters:
  - :name: Ada Lovelace
    :sid: '1815'
"""
    [owner] = gradescope_owners(printed).values()
    assert (owner.student, owner.ids) == ("Mallory", ((Known.SIS_ID, "666"),))


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("Mallory M_7_assignsubmission_file_Ada_1815_assignsubmission_file_x.py", "Mallory M"),
        ("mallorym_7_8_lovelaceada_12345_67890_attention.py", "mallorym"),
        ("mallorym_7_8_Ada_1815_assignsubmission_file_", "mallorym"),
        ("hw_mallory_attempt_2026-01-02-03-04-05_hw_ada_attempt_2026-01-02-03-04-05_x.py",
         "hw_mallory"),
    ],
)  # fmt: skip
def test_a_name_that_the_student_chose_is_nobodys(name: str, student: str) -> None:
    assert owner_of(name).student == student


def test_blackboards_assignment_is_what_all_its_names_share() -> None:
    when = "attempt_2026-01-02-03-04-05"
    owners = owners_of(
        [f"hw_1_ada_{when}_a.py", f"hw_1_x_ada_{when}_a.py", f"hw_1_ada_{when}.txt"], {}
    )
    assert [owner.student for owner in owners.values()] == ["ada", "x_ada", "ada"]
    assert {owner.when for owner in owners.values()} == {"2026-01-02T03:04:05"}


def test_the_roster_says_where_an_assignments_name_ends() -> None:
    names = ["hw-uni-ada", "hw-uni-alan"]
    assert [o.student for o in owners_of(names, {}).values()] == ["ada", "alan"]
    known = owners_of(names, {}, ["uni-ada", "uni-alan", "ada"])
    assert [o.student for o in known.values()] == ["uni-ada", "uni-alan"]


def test_names_that_a_file_system_may_take_for_one_are_told_apart() -> None:
    digest = safe_name("BOB.py", marked=True)
    names = [
        "bob.py",
        "BOB.py",
        f"{digest}.py",
        "e\u0301.py",
        "\xe9.py",
        "E\u0301.py",
        "straße",
        "STRASSE",
    ]
    made = safe_names(names)
    assert len({folded(name) for name in made.values()}) == len(names)


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
