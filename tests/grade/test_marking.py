"""Rubric, overrides, roster, similarity, seeds: pure parts of a mark."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from attnpack import pack
from attnpack.errors import BadInputError
from attnpack.grade.marks import Unjudged, mark
from attnpack.grade.names import Known, Owner, owner_of
from attnpack.grade.overrides import Override, Overrides, read_overrides
from attnpack.grade.roster import Match, read_roster
from attnpack.grade.rubric import Rubric, default_rubric, read_rubric
from attnpack.grade.seeds import SeedSecret, read_secret
from attnpack.grade.similar import groups, shapes_of
from attnpack.report.model import CheckReport, ExerciseReport, Report
from attnpack.terms import Status

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ["softmax", "SelfAttention"]


class TwoExercises(type(pack.load())):
    """Enough to mark."""

    exercises = tuple(exercise for exercise in pack.load().exercises if exercise.name in NAMES)


PACK = TwoExercises()
STAGES = ("shapes", "mask", "values")


def report(**failing: str) -> Report:
    """Each exercise fails the stages named, separated by blanks."""
    exercises = []
    for name in NAMES:
        wrong = failing.get(name, "").split()
        checks = tuple(
            CheckReport(stage, Status.FAILED if stage in wrong else Status.PASSED)
            for stage in STAGES
        )
        status = Status.FAILED if wrong else Status.PASSED
        exercises.append(ExerciseReport(name, status, checks))
    return Report("0", "p", "contained", "s", "numpy", 1, tuple(exercises))


def score(rubric: Rubric, overrides: tuple[Override, ...] = (), **failing: str) -> float | None:
    return mark("s", report(**failing), "failed", rubric, Overrides(overrides)).score


def rubric_of(tmp_path: Path, text: str) -> Rubric:
    path = tmp_path / "rubric.toml"
    path.write_text(text)
    return read_rubric(path, PACK)


def test_by_default_every_exercise_weighs_the_same_and_earns_all_or_nothing() -> None:
    rubric = default_rubric(PACK)
    assert score(rubric) == 2
    assert score(rubric, softmax="values") == 1
    assert score(rubric, softmax="values", SelfAttention="mask") == 0


def test_partial_credit_gives_nothing_for_the_right_shape(tmp_path: Path) -> None:
    rubric = rubric_of(tmp_path, "partial_credit = true\n[exercises.softmax]\npoints = 4\n")
    assert score(rubric, softmax="mask values", SelfAttention="mask values") == 0
    assert score(rubric, softmax="values") == 2 + 1
    assert score(rubric) == 5


def test_a_check_that_would_pass_after_another_failed_earns_its_share(tmp_path: Path) -> None:
    rubric = rubric_of(tmp_path, "partial_credit = true\n[exercises.softmax]\npoints = 4\n")
    checks = (
        CheckReport("shapes", Status.PASSED),
        CheckReport("mask", Status.FAILED),
        CheckReport("values", Status.SKIPPED, would_pass=True),
    )
    exercise = ExerciseReport("softmax", Status.FAILED, checks)
    judged = Report("0", "p", "contained", "s", "numpy", 1, (exercise,))
    again = Report.from_json(judged.to_json())
    for each in (judged, again):
        assert mark("s", each, "failed", rubric, Overrides()).score == 2


def test_partial_credit_follows_the_shares_of_the_rubric(tmp_path: Path) -> None:
    rubric = rubric_of(
        tmp_path,
        "partial_credit = true\n[exercises.softmax]\npoints = 4\n"
        "[exercises.softmax.stages]\nshapes = 1\nmask = 2\nvalues = 5\n",
    )
    assert score(rubric, softmax="values") == 1.5 + 1


def test_an_override_replaces_the_points_of_an_exercise_or_of_the_whole() -> None:
    rubric = default_rubric(PACK)
    one = Override("s", "softmax", 0.5, "r")
    assert score(rubric, (one,), softmax="values") == 1.5
    assert score(rubric, (one, Override("s", "*", 2, "r")), softmax="values") == 2
    assert score(rubric, (Override("other", "*", 0, "r"),)) == 2


def test_what_could_not_be_judged_has_no_score_unless_it_is_set_by_hand() -> None:
    rubric = default_rubric(PACK)
    waiting = mark("s", None, Unjudged.NEEDS_REGRADE, rubric, Overrides())
    assert (waiting.score, waiting.percent) == (None, None)
    by_hand = Overrides([Override("s", "*", 1, "r")])
    assert mark("s", None, Unjudged.NEEDS_REGRADE, rubric, by_hand).score == 1
    assert mark("s", None, Unjudged.UNREADABLE, rubric, Overrides()).score == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[exercises.softmx]\npoints = 1", "softmx"),
        ("[exercises.softmax]\npoint = 1", "point"),
        ("[exercises.softmax]\npoints = -1", "softmax"),
        ("[exercises.softmax]\npoints = 'x'", "softmax"),
        ("[exercises.softmax.stages]\nvalues = 1", "partial_credit"),
        ("partial_credit = true\n[exercises.softmax.stages]\nvalue = 1", "value"),
        ("hidden = ['gradient']", "gradient"),
        ("hidden = ['softmx.values']", "softmx"),
        ("[exercises.softmax]\npoints = 0\n[exercises.SelfAttention]\npoints = 0", "worth"),
        ("points = 3", "points"),
        ("= 3", "rubric.toml"),
        ("late = {per_day = 0.1}", "due"),
        ("due = 'tomorrow'", "due"),
        ("due = 2026-03-01T12:00:00Z\nlate = {per_day = 10}", "share"),
    ],
)
def test_a_wrong_rubric_is_refused_with_the_word_that_is_wrong(
    tmp_path: Path, text: str, said: str
) -> None:
    with pytest.raises(BadInputError, match=said):
        rubric_of(tmp_path, text)


def test_a_rubric_survives_the_ledger(tmp_path: Path) -> None:
    rubric = rubric_of(
        tmp_path,
        "assignment = 'HW 3'\npartial_credit = true\nhidden = ['mask', 'softmax.values']\n"
        "[exercises.softmax]\npoints = 4.5\n[exercises.softmax.stages]\nvalues = 2\n",
    )
    again = Rubric.from_json(rubric.to_json())
    assert again == rubric
    assert again.fingerprint == rubric.fingerprint != default_rubric(PACK).fingerprint
    assert rubric.hides("SelfAttention", "mask")
    assert rubric.hides("softmax", "values")
    assert not rubric.hides("SelfAttention", "values")


def test_overrides_are_read_from_csv_and_toml(tmp_path: Path) -> None:
    table, toml = tmp_path / "o.csv", tmp_path / "o.toml"
    table.write_text("submission,exercise,points,reason\na.py,softmax,1.5,oral\n")
    toml.write_text('[[override]]\nsubmission = "b.py"\npoints = 2\nreason = "late"\n')
    overrides = read_overrides([table, toml], NAMES)
    assert overrides.of("a.py", "softmax") == Override("a.py", "softmax", 1.5, "oral")
    assert overrides.of("b.py", "*") == Override("b.py", "*", 2, "late")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_overrides_and_rosters_are_read_as_spreadsheets_write_them(
    tmp_path: Path, encoding: str, separator: str
) -> None:
    table, roster = tmp_path / "o.csv", tmp_path / "r.csv"
    rows = [["Student", "Exercise", "Points", "Reason"], ["Kurt Gödel", "softmax", '"1,5"', "oral"]]
    table.write_text("\r\n".join(map(separator.join, rows)), encoding)
    people = [["name", "email"], ["Kurt Gödel", "k@example.edu"]]
    roster.write_text("\r\n".join(map(separator.join, people)), encoding)
    found = read_overrides([table], NAMES).of("x.py", "softmax", ["kurt  gödel"])
    assert found is not None
    assert found.points == 1.5
    assert [student.email for student in read_roster(roster).students] == ["k@example.edu"]


def test_a_line_that_tells_excel_the_separator_is_no_header(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("sep=;\nname;email\nAda;a@example.edu\n")
    assert [student.name for student in read_roster(path).students] == ["Ada"]


def test_more_points_than_there_are_must_be_meant() -> None:
    rubric = default_rubric(PACK)
    meant = Overrides([Override("s", "softmax", 3, "r", beyond=True)])
    meant.refuse_beyond(rubric.points)
    for one in (Override("s", "softmax", 3, "r"), Override("s", "*", 30, "r")):
        with pytest.raises(BadInputError, match="beyond"):
            Overrides([one]).refuse_beyond(rubric.points)


DUE = "due = 2026-03-01T12:00:00Z\nlate = {per_day = 0.1, at_most = 0.25}\n"


@pytest.mark.parametrize(
    ("when", "days", "share"),
    [
        ("2026-03-01T12:00:00+00:00", 0, 0),
        ("2026-03-01T14:30:00+01:00", 1, 0.1),
        ("2026-03-02T12:00:01", 2, 0.2),
        ("Sunday, 1 March 2026, 1:00 PM", 1, 0.1),
        ("2026-04-01T12:00:00Z", 31, 0.25),
        ("", None, 0),
        ("yesterday", None, 0),
    ],
)
def test_what_is_late_loses_its_share(
    tmp_path: Path, when: str, days: int | None, share: float
) -> None:
    rubric = rubric_of(tmp_path, DUE)
    given = mark("s", report(), "passed", rubric, Overrides(), ["Ada"], when)
    assert (given.days_late, given.late_share) == (days, pytest.approx(share))
    assert given.score == pytest.approx(rubric.max_score * (1 - share) * given.score / given.score)


def test_an_extension_moves_the_time_and_a_mark_by_hand_stands(tmp_path: Path) -> None:
    rubric = rubric_of(tmp_path, DUE)
    by_hand = [Override("", "*", None, "ill", student="Ada", days=1.5), Override("t", "*", 2, "r")]
    overrides = Overrides(by_hand)
    when = "2026-03-02T20:00:00Z"
    assert mark("s", report(), "passed", rubric, overrides, ["ada"], when).days_late == 0
    assert mark("t", report(), "passed", rubric, overrides, ["Bob"], when).score == 2


@pytest.mark.parametrize(
    "row", ["a.py,softmx,1,r", "a.py,softmax,many,r", "a.py,softmax,-1,r", "a.py,softmax,1,"]
)
def test_a_wrong_override_is_refused(tmp_path: Path, row: str) -> None:
    table = tmp_path / "o.csv"
    table.write_text(f"submission,exercise,points,reason\n{row}\n")
    with pytest.raises(BadInputError):
        read_overrides([table], NAMES)


CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,HW
    Points Possible,,,,,10
"Lovelace, Ada",12345,s1,ada01,A,
"Gödel, Kurt",777,s2,kurt,A,
"""
MOODLE = """First name,Surname,ID number,Email address
Ada,Lovelace,s1,ada@example.edu
Kurt,Gödel,s2,kurt@example.edu
"""
WORKSHEET = """Identifier,Full name,Email address
Participant 11,Jo Doe,jo1@example.edu
Participant 12,Jo Doe,jo2@example.edu
"""
SIMPLE = "name,github,email\nAda Lovelace,ada-l,ada@example.edu\nKurt Gödel,kurt,k@example.edu\n"


@pytest.mark.parametrize(
    ("text", "owner", "key"),
    [
        (CANVAS, owner_of("lovelaceada_12345_99_a.py"), "Lovelace, Ada"),
        (CANVAS, owner_of("godelkurt_LATE_777_99_a.py"), "Gödel, Kurt"),
        (CANVAS, Owner("kurt"), "Gödel, Kurt"),
        (MOODLE, owner_of("Ada Lovelace_1_assignsubmission_file_"), "Ada Lovelace"),
        (MOODLE, Owner("x", ((Known.EMAIL, "kurt@example.edu"),)), "Kurt Gödel"),
        (SIMPLE, Owner("ada-l"), "Ada Lovelace"),
        (SIMPLE, Owner("kurt", ((Known.LOGIN, "kurt"),)), "Kurt Gödel"),
        (WORKSHEET, owner_of("Jo Doe_12_assignsubmission_file_"), "Jo Doe"),
    ],
)
def test_the_roster_finds_the_student(tmp_path: Path, text: str, owner: Owner, key: str) -> None:
    path = tmp_path / "roster.csv"
    path.write_text(text, "utf-8-sig")
    roster = read_roster(path)
    assert len(roster.students) == 2
    assert [student.key for student in roster.find(owner)] == [key]
    assert roster.look_up(Owner("nobody")) == ((), Match.UNLISTED)


def test_two_students_of_one_name_are_not_guessed_between(tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    path.write_text("name,login\nJo Doe,jo1\nJo Doe,jo2\n")
    roster = read_roster(path)
    assert roster.look_up(Owner("Jo Doe")) == ((), Match.NAMESAKES)
    [found] = roster.find(Owner("Jo Doe", ((Known.LOGIN, "jo2"),)))
    assert found.login == "jo2"


@pytest.mark.parametrize(
    "owner",
    [
        owner_of("Mallory M_12345_assignsubmission_file_"),
        owner_of("lovelaceada_999_67890_attention.py"),
        Owner("12345"),
        Owner("x", ((Known.LOGIN, "mallory-ada01"),)),
        Owner("Ada Lovelace", ((Known.SIS_ID, "666"),)),
    ],
)
def test_nobody_has_a_mark_by_a_number_or_name_that_happens_to_be_anothers(
    tmp_path: Path, owner: Owner
) -> None:
    path = tmp_path / "roster.csv"
    path.write_text(CANVAS)
    assert read_roster(path).look_up(owner) == ((), Match.UNLISTED)


def test_a_group_is_all_its_members(tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    path.write_text("name,login,group\nAda,ada,G1\nBob,bob,G1\nCid,cid,\nDan,dan,\n")
    roster = read_roster(path)
    assert [s.name for s in roster.find(Owner("G1"))] == ["Ada", "Bob"]
    assert [s.name for s in roster.with_group(roster.find(Owner("bob")))] == ["Bob", "Ada"]
    assert [s.name for s in roster.with_group(roster.find(Owner("cid")))] == ["Cid"]
    pair = Owner("Ada and Dan", members=(Owner("Ada"), Owner("Dan")))
    assert [s.name for s in roster.find(pair)] == ["Ada", "Dan"]


def test_a_roster_without_a_header_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    path.write_text("Ada,1\n")
    with pytest.raises(BadInputError, match="columns"):
        read_roster(path)


def test_seeds_follow_from_secret_submission_and_check_and_fit_json() -> None:
    secret, other = SeedSecret(b"a" * 32), SeedSecret(b"b" * 32)
    seeds = {
        secret.seed("s1", "c"),
        secret.seed("s2", "c"),
        secret.seed("s1", "d"),
        other.seed("s1", "c"),
    }
    assert len(seeds) == 4
    assert secret.seed("s1", "c") == SeedSecret(b"a" * 32).seed("s1", "c")
    assert all(0 <= seed < 2**53 for seed in seeds)
    assert secret.commitment != other.commitment
    assert b"a" * 8 not in secret.commitment.encode()


def test_a_secret_that_can_be_guessed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_text("1234")
    with pytest.raises(BadInputError, match="token_hex"):
        read_secret(path)
    with pytest.raises(BadInputError, match="cannot be read"):
        read_secret(tmp_path / "none")


BASE = "def softmax(scores):\n    top = scores.max(-1)\n    return scores - top\n"


@pytest.mark.parametrize(
    "other",
    [
        BASE.replace("scores", "s").replace("top", "largest"),
        BASE.replace("\n    ", "\n        "),
        BASE.replace("    top =", '    """Doc."""\n\n    # comment\n    top ='),
        BASE.replace("(scores):", "(scores: float) -> float:"),
    ],
)
def test_names_layout_comments_and_annotations_do_not_count(other: str) -> None:
    assert shapes_of([other], NAMES) == shapes_of([BASE], NAMES) != {}


@pytest.mark.parametrize(
    "other",
    [
        BASE.replace("-1", "-2"),
        BASE.replace("max", "min"),
        BASE.replace("- top", "- scores"),
        BASE + "    pass\n",
    ],
)
def test_what_the_code_does_counts(other: str) -> None:
    assert shapes_of([other], NAMES) != shapes_of([BASE], NAMES)


@pytest.mark.parametrize("text", ["def softmax(:", "\0", "x = " + "-" * 100_000 + "1", "(" * 1000])
def test_what_does_not_parse_has_no_shape(text: str) -> None:
    assert shapes_of([text], NAMES) == {}


def test_equal_submissions_stand_together() -> None:
    many = {"softmax": "1", "a": "2", "b": "3"}
    shapes = {"s2": many, "s1": dict(many), "s3": {**many, "b": "4"}, "s4": {"softmax": "1"}}
    assert groups(shapes) == [["s1", "s2"]]
