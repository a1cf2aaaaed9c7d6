"""Grading runs with a judge that needs no guest: marks, resuming, shards, faults."""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from grade_fakes import FAKE_JUDGE

from attnpack.errors import BadInputError
from attnpack.grade.commands import Options, dry_run, grade, merge
from attnpack.grade.ledger import FILE_NAME, read_ledger

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

RIGHT = "def softmax(scores): return scores\n"
WRONG = "# fake: softmax failed row_sums softmax-over-queries\n" + RIGHT
FAULTY = "# judge: faults\n" + RIGHT

Graded = "Callable[..., Path]"


def rows(out: Path) -> dict[str, dict[str, str]]:
    table = csv.DictReader(io.StringIO((out / "grades.csv").read_text("utf-8-sig")))
    return {row["submission"]: row for row in table}


def outputs(out: Path) -> dict[str, bytes]:
    """What must be equal for equal runs."""
    files = [out / "grades.csv", out / "cohort.html", out / "summary.md"]
    for folder in ("reports", "feedback", "github"):
        files += sorted((out / folder).iterdir())
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in files}


def judged(log: Path) -> list[str]:
    return log.read_text().split() if log.exists() else []


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "judged.log"
    monkeypatch.setenv("FAKE_JUDGE_LOG", str(path))
    return path


def cohort(count: int) -> dict[str, str]:
    texts = [RIGHT, WRONG]
    return {f"s{at:02}.py": f"{texts[at % 2]}# {at}\n" for at in range(count)}


def test_every_submission_has_one_row_sorted_by_name(graded: Graded) -> None:
    out = graded({"b.py": WRONG, "a/attention.py": RIGHT, "c.py": ""})
    assert list(rows(out)) == ["a", "b.py", "c.py"]
    assert rows(out)["a"]["score"] == "7"
    assert rows(out)["a"]["percent"] == "100"
    assert rows(out)["a"]["status"] == "passed"
    assert rows(out)["b.py"] | {"student": "b", "score": "6", "max_score": "7"} == rows(out)["b.py"]
    assert rows(out)["b.py"]["bugs"] == "softmax-over-queries"
    assert rows(out)["b.py"]["status"] == "failed"
    assert rows(out)["b.py"]["isolation"] == "contained"
    assert rows(out)["c.py"]["status"] == "unreadable"
    assert rows(out)["c.py"]["score"] == "0"


def test_equal_submissions_are_judged_once_and_keep_their_own_file_names(
    graded: Graded, log: Path
) -> None:
    out = graded({"ada.py": WRONG, "bob.py": WRONG, "cid/code.py": WRONG})
    assert len(judged(log)) == 1
    bugs = {
        path.stem: json.loads(path.read_text())["exercises"][0]["checks"][1]["bugs"][0]["file"]
        for path in (out / "reports").iterdir()
    }
    assert bugs == {"ada": "ada.py", "bob": "bob.py", "cid": "code.py"}


def test_reports_are_byte_identical_for_any_number_of_workers(
    graded: Graded, tmp_path: Path, lay: Callable[[Mapping[str, str]], Path], secret: Path
) -> None:
    one = outputs(graded(cohort(12)))
    options = Options(
        tmp_path / "submissions", tmp_path / "three", 3, judge=FAKE_JUDGE, seed_secret_file=secret
    )
    assert grade(options) == 0
    assert outputs(tmp_path / "three") == one


def test_memory_addresses_do_not_reach_a_report(graded: Graded) -> None:
    out = graded({"a.py": r"# prints: <X at 0x7fa3bc001f40>" + f"\n{WRONG}"})
    assert "<X at 0x\\u2026>" in (out / "reports" / "a.json").read_text()


def test_merged_shards_give_the_bytes_of_one_run(
    graded: Graded, tmp_path: Path, secret: Path
) -> None:
    one = outputs(graded({**cohort(9), "same.py": RIGHT, "also.py": RIGHT, "empty.py": ""}))
    shards = [tmp_path / f"shard{index}" for index in (1, 2, 3)]
    for index, out in enumerate(shards, 1):
        grade(
            Options(
                tmp_path / "submissions",
                out,
                1,
                judge=FAKE_JUDGE,
                seed_secret_file=secret,
                shard=f"{index}/3",
            )
        )
    assert merge(shards[::-1], tmp_path / "merged") == 0
    assert outputs(tmp_path / "merged") == one


def test_a_merge_wants_every_shard_once(graded: Graded, tmp_path: Path) -> None:
    out = graded(cohort(4), shard="1/2")
    with pytest.raises(BadInputError, match="every shard once"):
        merge([out], tmp_path / "merged")
    with pytest.raises(BadInputError, match="every shard once"):
        merge([out, out], tmp_path / "merged")


def test_a_second_run_into_the_same_folder_wants_resume(graded: Graded) -> None:
    graded(cohort(2))
    with pytest.raises(BadInputError, match="--resume"):
        graded({})


def test_resuming_judges_only_what_is_missing(graded: Graded, log: Path) -> None:
    files = cohort(6)
    whole = outputs(graded(files))
    out = graded({}, resume=True)
    assert len(judged(log)) == 6
    ledger = out / FILE_NAME
    lines = ledger.read_bytes().splitlines(keepends=True)
    kept = [line for line in lines if b'"kind":"judged"' in line][:3]
    ledger.write_bytes(lines[0] + b"".join(kept) + kept[-1][:-20])
    assert outputs(graded({}, resume=True)) == whole
    assert len(judged(log)) == 9
    assert len(set(judged(log))) == 6


def test_a_flipped_bit_costs_one_judgement(graded: Graded, log: Path) -> None:
    out = graded(cohort(4))
    ledger = bytearray((out / FILE_NAME).read_bytes())
    ledger[ledger.index(b'"isolation"') + 14] ^= 4
    (out / FILE_NAME).write_bytes(ledger)
    again = rows(graded({}, resume=True))
    assert all(row["score"] for row in again.values())
    assert len(judged(log)) == 5


def test_an_infrastructure_fault_is_tried_again_and_never_a_zero(graded: Graded, log: Path) -> None:
    out = graded({"a.py": FAULTY, "b.py": "# judge: dies\n", "c.py": RIGHT})
    assert rows(out)["a.py"]["status"] == "needs_regrade"
    assert rows(out)["a.py"]["score"] == ""
    assert "sandbox" in rows(out)["a.py"]["problem"]
    assert rows(out)["b.py"]["score"] == ""
    assert rows(out)["c.py"]["score"] == "7"
    assert len(judged(log)) == 3 + 3 + 1


def test_the_exit_code_says_that_some_need_regrading(
    lay: Callable[[Mapping[str, str]], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = lay({"a.py": FAULTY, "b.py": WRONG})
    assert grade(Options(folder, tmp_path / "out", 1, judge=FAKE_JUDGE)) == 1
    assert "--resume" in capsys.readouterr().out


def test_a_resumed_run_tries_faults_again(graded: Graded, log: Path) -> None:
    graded({"a.py": FAULTY})
    graded({}, resume=True)
    assert len(judged(log)) == 6


@pytest.mark.parametrize("word", ["attnpack", "pack"])
def test_marks_of_another_version_or_pack_do_not_mix(
    graded: Graded, word: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    out = graded(cohort(2))
    if word == "pack":
        monkeypatch.setattr("attnpack.pack.Pack.fingerprint", lambda _: "sha256:other")
    else:
        monkeypatch.setattr("attnpack.grade.commands.__version__", "9.9")
    with pytest.raises(BadInputError, match="must not mix"):
        graded({}, resume=True)
    other = tmp_path / "other"
    grade(Options(tmp_path / "submissions", other, 1, judge=FAKE_JUDGE))
    with pytest.raises(BadInputError, match="must not mix"):
        merge([out, other], tmp_path / "merged")


def test_a_new_rubric_judges_nobody_again(graded: Graded, log: Path, tmp_path: Path) -> None:
    out = graded(cohort(2))
    before = {p.name: json.loads(p.read_text())["seed"] for p in (out / "reports").iterdir()}
    rubric = tmp_path / "rubric.toml"
    rubric.write_text("[exercises.softmax]\npoints = 4\n")
    graded({}, resume=True, rubric=rubric)
    assert rows(out)["s01.py"]["max_score"] == "10"
    assert len(judged(log)) == 2
    after = {p.name: json.loads(p.read_text())["seed"] for p in (out / "reports").iterdir()}
    assert after == before


def test_overrides_survive_regrading_and_show_everywhere(graded: Graded, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "overrides.csv").write_text(
        "submission,exercise,points,reason\ns01.py,softmax,0.5,explained it orally\n"
    )
    out = graded(cohort(2))
    for _ in range(2):
        assert rows(out)["s01.py"]["score"] == "6.5"
        for file in (
            "grades.csv",
            "cohort.html",
            "reports/s01.json",
            "feedback/s01.html",
            "gradescope/s01.json",
            "classroom/s01.json",
            "github/s01.txt",
        ):
            assert "explained it orally" in (out / file).read_text(), file
        graded({"s00.py": RIGHT + "# later\n"}, resume=True)


def test_an_override_of_a_submission_that_is_not_there_is_said(
    graded: Graded, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    overrides = tmp_path / "set.csv"
    overrides.write_text("submission,exercise,points,reason\nnobody,,3,x\n")
    graded(cohort(1), overrides=overrides)
    assert "nobody" in capsys.readouterr().err


def test_submissions_equal_up_to_names_and_layout_are_flagged(graded: Graded) -> None:
    first = (
        "def softmax(a): return a\n"
        "def attention_scores(q): return q\n"
        "def causal_mask(n): return n\n"
    )
    second = (
        first.replace("a)", "rows)")
        .replace("return a", "# mine\n    return rows")
        .replace("softmax(rows): #", "softmax(rows):\n    #")
    )
    out = graded({"a.py": first, "b.py": second, "c.py": first.replace("return n", "return -n")})
    assert rows(out)["a.py"]["flags"] == "equals b.py"
    assert rows(out)["b.py"]["flags"] == "equals a.py"
    assert rows(out)["c.py"]["flags"] == ""


def test_a_copy_of_the_reference_is_flagged(graded: Graded) -> None:
    from attnpack import pack

    copy = {
        f"ada/{e.file}": "# my own work\n" + pack.load().reference_path("numpy", e.file).read_text()
        for e in pack.load().chapters[0].exercises
    }
    out = graded({**copy, "bob.py": RIGHT})
    assert rows(out)["ada"]["flags"] == "equals the reference"


def test_an_interrupted_run_keeps_what_is_graded_and_says_how_to_resume(
    graded: Graded, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], log: Path
) -> None:
    from attnpack.grade import run

    entries: list[object] = []
    real = run._finished_entry

    def interrupting(*arguments: object) -> object:
        entries.append(arguments)
        if len(entries) == 4:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(run, "_finished_entry", interrupting)
    monkeypatch.setattr("sys.argv", ["attnpack", "grade", "subs", "--out", "o u t"])
    with pytest.raises(KeyboardInterrupt):
        graded(cohort(8))
    assert "attnpack grade subs --out 'o u t' --resume" in capsys.readouterr().err
    monkeypatch.setattr(run, "_finished_entry", real)
    out = graded({}, resume=True)
    assert len(rows(out)) == 8
    kept = [e["key"][0] for e in read_ledger(out / FILE_NAME).entries if e["kind"] == "judged"]
    assert sorted(kept) == sorted(set(kept))
    assert len(kept) == 8


def test_an_unfinished_shard_is_not_merged(graded: Graded, tmp_path: Path) -> None:
    out = graded(cohort(2))
    ledger = out / FILE_NAME
    ledger.write_bytes(b"".join(ledger.read_bytes().splitlines(keepends=True)[:-1]))
    with pytest.raises(BadInputError, match="not finished"):
        merge([out], tmp_path / "merged")


def test_the_secret_is_made_once_and_is_for_its_owner_alone(
    lay: Callable[[Mapping[str, str]], Path], tmp_path: Path
) -> None:
    folder, out = lay(cohort(1)), tmp_path / "out"
    grade(Options(folder, out, 1, judge=FAKE_JUDGE))
    secret = out / "seed-secret.txt"
    assert secret.stat().st_mode & 0o077 == 0
    text = secret.read_text().strip()
    for path in out.rglob("*"):
        assert path == secret or path.is_dir() or text not in path.read_text()
    grade(Options(folder, out, 1, judge=FAKE_JUDGE, resume=True))
    assert secret.read_text().strip() == text


def test_two_runs_do_not_write_into_one_folder(graded: Graded, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    hold = (
        "import sys, pathlib, time\nfrom attnpack.grade.lock import locked\n"
        "with locked(pathlib.Path(sys.argv[1])):\n    print(flush=True)\n    time.sleep(600)"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", hold, str(tmp_path / "out")], stdout=subprocess.PIPE
    )
    try:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(BadInputError, match="Another run"):
            graded(cohort(2))
    finally:
        other.kill()
        other.communicate()
    assert len(rows(graded({}))) == 2


def test_a_row_is_there_once_whatever_the_ledger_holds(graded: Graded) -> None:
    out = graded(cohort(3))
    lines = (out / FILE_NAME).read_bytes().splitlines(keepends=True)
    found = [line for line in lines if b'"kind":"found"' in line]
    (out / FILE_NAME).write_bytes(b"".join([*lines[:-1], *found, lines[-1]]))
    assert merge([out], out) == 0
    assert (out / "grades.csv").read_text().count("\n") == 4


def test_a_secret_that_a_full_disk_left_empty_is_made_anew(
    lay: Callable[[Mapping[str, str]], Path], tmp_path: Path
) -> None:
    folder, out = lay(cohort(1)), tmp_path / "out"
    out.mkdir()
    (out / "seed-secret.txt").touch()
    assert grade(Options(folder, out, 1, judge=FAKE_JUDGE)) == 0
    assert len((out / "seed-secret.txt").read_text().strip()) == 64


def test_a_full_disk_ends_the_run_in_words_and_leaves_nothing_half(
    lay: Callable[[Mapping[str, str]], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    folder, out = lay(cohort(2)), tmp_path / "out"
    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_text", full)
        with pytest.raises(BadInputError, match="disk is full"):
            grade(Options(folder, out, 1, judge=FAKE_JUDGE))
    assert {path.name for path in out.iterdir()} == {".lock"}
    assert grade(Options(folder, out, 1, judge=FAKE_JUDGE, resume=True)) == 0
    assert len(rows(out)) == 2


ROSTER = "name,login,email\nAda,ada,a@x.edu\nBob,bob,b@x.edu\nJo Doe,jo1,\nJo Doe,jo2,\nZoë,zoe,\n"


def test_nobody_vanishes(
    graded: Graded, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text(ROSTER, "utf-8")
    files = {
        "ada.py": RIGHT,
        "bob.pdf": "%PDF",
        "Jo Doe.py": WRONG,
        "mallory.py": RIGHT,
        "x.csv": "",
    }
    out = graded(files, roster=roster)
    said = capsys.readouterr()
    assert "Not taken for submissions: x.csv" in said.err
    assert "1 student has nothing to grade: Bob." in said.out
    assert "handed in nothing: Jo Doe, Jo Doe, Zoë." in said.out
    assert "2 of nobody on the roster" in said.out
    page = " ".join(re.sub(r"<[^>]+>", " ", (out / "cohort.html").read_text("utf-8")).split())
    for why in (
        "several students of the roster have this name",
        "nobody of the roster is called so",
    ):
        assert why in page
    assert ".pdf" in page.partition("Nothing to grade")[2][:300]
    table = list(csv.DictReader(io.StringIO((out / "grades.csv").read_text("utf-8-sig"))))
    assert [row["student"] for row in table if row["status"] == "missing"] == [
        "Jo Doe", "Jo Doe", "Zoë",
    ]  # fmt: skip
    assert (out / "grades.csv").read_bytes().startswith(b"\xef\xbb\xbf")


def test_an_override_may_name_the_student(graded: Graded, tmp_path: Path) -> None:
    roster, overrides = tmp_path / "roster.csv", tmp_path / "set.csv"
    roster.write_text(ROSTER, "utf-8")
    overrides.write_text("student;exercise;points;reason\nBob;softmax;0,5;oral\n")
    out = graded({"bob.py": WRONG, "ada.py": WRONG}, roster=roster, overrides=overrides)
    assert rows(out)["bob.py"]["score"] == "6.5"
    assert rows(out)["ada.py"]["score"] == "6"


def test_a_dry_run_says_what_would_be_read_as_whose_and_writes_nothing(
    lay: Callable[[Mapping[str, str]], Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text(ROSTER, "utf-8")
    folder = lay({"ada.py": RIGHT + "print(1)\n", "bob.pdf": "", "mallory.py": RIGHT})
    assert dry_run(Options(folder, tmp_path / "out", 1, roster=roster)) == 0
    said = capsys.readouterr().out
    assert "ada.py: Ada\n  ada.py: softmax (numpy)\n" in said
    assert "Not run, since no exercise needs it" in said
    assert "bob.pdf: Bob\n  cannot be read: " in said
    assert "mallory.py: mallory (nobody of the roster is called so)" in said
    assert "nothing is here of: Jo Doe, Jo Doe, Zoë" in said
    assert not (tmp_path / "out").exists()
