"""Files that people write by hand, of any text: a value, or a sentence that names the file."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any, TypeVar

import pytest
from effort import examples
from hypothesis import example, given
from hypothesis import strategies as st
from mutating import mutated

from attnpack import pack, workspace
from attnpack.errors import BadInputError
from attnpack.grade.names import Known, Owner, gradescope_owners, owner_of, owners_of, safe_name
from attnpack.grade.overrides import WHOLE, read_overrides
from attnpack.grade.roster import Roster, read_roster
from attnpack.grade.rubric import Rubric, read_rubric
from attnpack.look.shapes import sheet
from attnpack.terms import Backend, Status
from attnpack.workspace import progress

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Value = TypeVar("Value")

NAMES = [exercise.name for exercise in pack.load().chapters[0].exercises]
RUBRIC = b"""\
assignment = "Self-attention"
partial_credit = true
hidden = ["gradients", "softmax.values"]
[exercises.softmax]
points = 2.5
[exercises.softmax.stages]
values = 2
"""
TOML = b'[[override]]\nsubmission = "jane"\nexercise = "softmax"\npoints = 1\nreason = "late"\n'
CSV = b'submission,exercise,points,reason\njane,softmax,0.5,"said\nso"\nbob,*,3,x\n'
ROSTER = b'Student,ID,SIS Login ID,Section\n"Doe, Jane",1,jdoe,a\n"M\xc3\xbcller, Bo",2,bo,"b\nc"\n'


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("given")


def read(reader: Callable[[], Value], path: Path, data: bytes) -> Value | None:
    """What is read; None where the file was refused by its name. The file is as it was."""
    path.write_bytes(data)
    words = str(path)
    found = None
    try:
        found = reader()
    except BadInputError as refusal:
        words = str(refusal)
    assert str(path) in words
    assert path.read_bytes() == data
    return found


toml_values = st.recursive(
    st.sampled_from([
        "1", "-1", "0.5", "nan", "inf", "1e400", "true", '"softmax"', "'gradients'", "''", "[]",
        "{}", "2020-01-01", "0x" + "f" * 5000, "9" * 5000, "[[1]]", '"\\u0000"', '["gradients"]',
        "1979-05-27T07:32:00Z", '"softmax.values"', "07:32:00", '"*"', "-0.0",
    ]),
    lambda inner: st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]"),
    max_leaves=4,
)  # fmt: skip
toml_lines = st.one_of(
    st.sampled_from([
        "[exercises]", "[exercises.softmax]", "[exercises.softmax.stages]", "[[override]]",
        "[[exercises]]", "[exercises.nothing]", "[hidden]", "[override]", "[]",
    ]),
    st.builds(
        "{} = {}".format,
        st.sampled_from([
            "assignment", "partial_credit", "hidden", "exercises", "points", "stages", "values",
            "override", "submission", "exercise", "reason", "softmax", "exercises.softmax.points",
        ]),
        toml_values,
    ),
)  # fmt: skip
toml_texts = st.lists(toml_lines, max_size=6).map(lambda lines: "\n".join(lines).encode())
NESTED = b"x = " + b"[" * 5000 + b"]" * 5000


@examples(300)
@given(st.binary(max_size=80) | mutated(RUBRIC) | toml_texts)
@example(NESTED)
@example(b"hidden = 5")
@example(b"hidden = [1]")
@example(b"hidden = [[1]]")
@example(b'hidden = "gradients"')
@example(b'partial_credit = "yes"')
@example(b"assignment = 9" + b"9" * 5000)
@example(b"[exercises.softmax]\npoints = 0x" + b"f" * 5000)
@example(b"exercises = 1")
@example(b"\xef\xbb\xbf" + RUBRIC)
def test_a_rubric_of_any_text_is_one_or_refused(place: Path, data: bytes) -> None:
    path = place / "rubric.toml"
    rubric = read(lambda: read_rubric(path, pack.load()), path, data)
    if rubric:
        assert list(rubric.points) == NAMES
        assert 0 < rubric.max_score < math.inf
        assert Rubric.from_json(json.loads(json.dumps(rubric.to_json()))) == rubric
        assert rubric.fingerprint


@examples(200)
@given(st.binary(max_size=80) | mutated(TOML) | toml_texts)
@example(NESTED)
@example(b"override = [1, 2]")
@example(b'override = [{submission="a", points=1' + b"0" * 400 + b', reason="x"}]')
@example(b"override = {}")
def test_overrides_in_toml_of_any_text_are_read_or_refused(place: Path, data: bytes) -> None:
    _overrides(place / "overrides.toml", data)


cells = st.sampled_from(["jane", "softmax", "*", "1", "-1", "nan", "1e999", "", "x", '"', '"a\nb"'])
csv_texts = st.builds(
    lambda head, rows: "\n".join(",".join(row) for row in [head, *rows]).encode(),
    st.permutations(["submission", "exercise", "points", "reason"]),
    st.lists(st.lists(cells | st.text(max_size=6), max_size=6), max_size=4),
)
LONG = b'submission,points,reason\njane,1,"' + b"x" * 200_000 + b'"\n'


@examples(200)
@given(st.binary(max_size=80) | mutated(CSV) | csv_texts.filter(bool))
@example(LONG)
@example(b"submission,points,reason\njane")
@example(b"submission,points,reason\njane,1,x,y,z")
@example(b"submission,points,reason\n,,,\n")
@example(b"submission,points,reason\n\0,1,\0")
@example(b"\r\r\r")
def test_overrides_in_csv_of_any_text_are_read_or_refused(place: Path, data: bytes) -> None:
    _overrides(place / "overrides.csv", data)


def _overrides(path: Path, data: bytes) -> None:
    overrides = read(lambda: read_overrides([path], NAMES), path, data)
    for one in overrides.unused([]) if overrides else ():
        assert one.submission
        assert one.reason
        assert one.exercise in {*NAMES, WHOLE}
        assert 0 <= one.points < 1e6
        assert overrides
        assert overrides.of(one.submission, one.exercise) == one


def test_the_files_that_are_mutated_here_are_right(place: Path) -> None:
    (place / "r.toml").write_bytes(RUBRIC)
    assert read_rubric(place / "r.toml", pack.load()).share("softmax", "values") == 2.0
    for name, data, reason in (("o.toml", TOML, "late"), ("o.csv", CSV, "said\nso")):
        (place / name).write_bytes(data)
        found = read_overrides([place / name], NAMES).of("jane", "softmax")
        assert found is not None
        assert found.reason == reason
    (place / "s.csv").write_bytes(ROSTER)
    roster = read_roster(place / "s.csv")
    assert [student.section for student in roster.students] == ["a", "b\nc"]
    (jane,) = roster.find(Owner("doejane"))
    assert jane.login == "jdoe"


roster_texts = st.builds(
    lambda head, rows: "\n".join(",".join(row) for row in [head, *rows]).encode(),
    st.lists(st.sampled_from(["Student", "name", "id", "login", "email", "First name", "x", ""])),
    st.lists(st.lists(cells | st.text(max_size=6), max_size=6), max_size=4),
)


@examples(200)
@given(st.binary(max_size=80) | mutated(ROSTER) | roster_texts, st.text(max_size=8))
@example(b"name\n" + b"x" * 200_000, "x")
@example(b"name,login\n-,-\n", "a-b")
@example(b'name\n"', "")
@example(b"", "")
def test_a_roster_of_any_text_is_one_or_refused(place: Path, data: bytes, student: str) -> None:
    path = place / "roster.csv"
    roster = read(lambda: read_roster(path), path, data)
    if roster:
        assert (
            Roster.from_json(json.loads(json.dumps(roster.to_json()))).students == roster.students
        )
        for owner in (Owner(student), *(Owner("x", ((kind, student),)) for kind in Known)):
            assert set(roster.find(owner)) <= set(roster.students)
        for one in roster.students:
            assert one.key or not any([one.login, one.email, one.canvas_id, one.sis_id])


def test_a_dash_in_place_of_a_login_is_nobodys(place: Path) -> None:
    (place / "dash.csv").write_text("name,login\nJane Doe,-\nBob,bob\n")
    roster = read_roster(place / "dash.csv")
    assert roster.find(Owner("hw1-somebody")) == ()
    assert roster.find(Owner("***")) == ()


file_names = st.text(max_size=12) | st.sampled_from([
    "doejane_12_345_softmax.py", "Jane Doe_12_assignsubmission_file_", "submission_5", "hw-jane",
    "hw-bob", "CON.py", "..", "a_LATE_1_2_b.py", "_1_2_x.py", ".tar.gz",
])  # fmt: skip


@examples(100)
@given(st.lists(file_names, unique=True, max_size=6), st.text(max_size=60))
def test_any_names_of_files_have_owners_and_safe_names(names: list[str], metadata: str) -> None:
    owners = owners_of(names, gradescope_owners(metadata))
    assert set(owners) == set(names)
    for name in names:
        owner_of(name)
        safe = safe_name(name)
        assert safe
        assert not set(safe) & set('/\\:*?"<>|\0')
        assert safe.strip(".") == safe


SHEET = (pack.ROOT / "SHAPES.md").read_bytes()
sheet_lines = st.sampled_from([
    "## SelfAttention", "## ", "| tensor | symbols | numbers |", "|---|---|---|",
    "| a | tensor |", "| x |", "|", "||", "| Q | `(2, 5, 12)` | (2, 5, 12) | more |", "text",
])  # fmt: skip


@examples(150)
@given(
    st.binary(max_size=80)
    | mutated(SHEET)
    | st.lists(sheet_lines | st.text(max_size=8), max_size=8).map(
        lambda lines: "\n".join(lines).encode("utf-8", "replace")
    )
)
@example(b"| a | tensor | symbols |\n| x |")
def test_a_sheet_of_shapes_of_any_text_is_marked_or_refused(place: Path, data: bytes) -> None:
    path = place / "SHAPES.md"
    text = read(lambda: sheet.read(path), path, data)
    if text:
        solution = SHEET.decode()
        marked = sheet.mark(text, solution, {})
        assert len(marked) == len(list(sheet.cells(solution)))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=6,
)
json_texts = json_values.map(lambda value: json.dumps(value).encode())


@examples(100)
@given(st.binary(max_size=60) | json_texts)
@example(b"[" * 100_000)
@example(b'{"a": 1e999}')
@example(b'{"a": NaN}')
def test_a_memory_of_tries_of_any_text_is_one_or_empty(place: Path, data: bytes) -> None:
    path = place / "shapes.json"
    tries = read(lambda: sheet.tries_of(path), path, data)
    assert all(isinstance(count, int) and count >= 0 for count in (tries or {}).values())
    assert tries is not None, "nothing is refused: what cannot be read is empty"
    assert sheet.mark(SHEET.decode(), SHEET.decode(), tries)


STATE = progress.State(
    pack="sha256:0",
    backend="torch",
    stubs={"softmax.py": "0" * 64},
    exercises={
        "softmax": progress.Progress(
            Status.FAILED, 3, "2026-01-01T00:00:00", None, "B01", ("B01",), {"B01": 2, "softmax": 1}
        )
    },
    seed=7,
)


def state_file(root: Path) -> Path:
    return root / progress.FOLDER / progress.FILE


@pytest.fixture(scope="module")
def state_text(place: Path) -> bytes:
    progress.write(place, STATE)
    return state_file(place).read_bytes()


def _changed(data: Any, path: tuple[Any, ...], value: Any) -> bytes:
    inner = data
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return json.dumps(data).encode()


PLACES: list[tuple[Any, ...]] = [
    ("version",), ("pack",), ("backend",), ("stubs",), ("exercises",), ("seed",),
    ("stubs", "softmax.py"), ("exercises", "softmax"),
    *(("exercises", "softmax", word) for word in (
        "status", "checks", "first_checked", "first_passed", "bug", "bugs_met", "hints")),
    ("exercises", "softmax", "hints", "B01"), ("exercises", "softmax", "bugs_met", 0),
]  # fmt: skip


@examples(200)
@given(st.data())
def test_a_state_file_of_any_text_is_read_or_set_aside_and_never_lost(
    tmp_path_factory: pytest.TempPathFactory, state_text: bytes, data: st.DataObject
) -> None:
    changed = st.builds(
        lambda where, value: _changed(json.loads(state_text), where, value),
        st.sampled_from(PLACES),
        json_values,
    )
    written = data.draw(st.binary(max_size=60) | mutated(state_text) | changed | json_texts)
    _opened(tmp_path_factory.mktemp("workspace"), written)


@pytest.mark.parametrize(
    "text",
    [
        b"[" * 100_000,
        b'{"version": 1e999}',
        b"\xff",
        b"",
        b'{"version": 1, "pack": "", "backend": "abacus", "stubs": {}, "exercises": {}, "seed": 1}',
    ],
)
def test_a_state_file_that_cannot_be_right_is_set_aside_or_refused(
    tmp_path: Path, text: bytes
) -> None:
    _opened(tmp_path, text)


def _opened(root: Path, written: bytes) -> None:
    """Open a workspace with this state file, and do with it what commands do."""
    file = state_file(root)
    file.parent.mkdir()
    file.write_bytes(written)
    try:
        opened = workspace.opened(root)
    except BadInputError as refusal:
        assert str(file) in str(refusal)  # noqa: PT017
        assert file.read_bytes() == written
        return
    kept = [path.read_bytes() for path in file.parent.iterdir()]
    assert written in kept
    assert opened.backend in Backend
    assert opened.state.seed is None or opened.state.seed >= 0
    for name in NAMES:
        known = opened.state.progress(name)
        assert known.status in Status
        assert sum(known.hints.values()) + known.checks >= 0
        assert all(isinstance(bug, str) for bug in known.bugs_met)
    again = opened.saved(opened.state)
    assert progress.read(root) == again.state
