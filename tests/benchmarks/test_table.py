"""The table of `python -m bench`, from figures made up here."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from bench import __main__ as program
from bench import table
from bench.table import Absent, Row, Unit, at_least, at_most

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

GONE = Absent("check50", "absent", "could not be installed: no such index")
ROWS = [
    Row("check", "all right", 0.3, "import numpy", 0.15, at_most(3)),
    Row("check", "all right", 0.3, "pytest, the same", 0.25, at_most(1)),
    Row("check", "all right", 0.3, "check50, the same", GONE, at_most(1)),
    Row("grade", "CPU, a right one", 0.009, "otter-grader, the same", 3.5),
    Row("grade", "CPU, a right one", 0.009, "check50, the same", GONE),
    Row("grade", "two workers", 74.0, "one worker", 39.0, at_least(1.8), Unit.PER_SECOND),
]


def test_the_plain_table_looks_as_it_did(golden: Callable[[str, str], None]) -> None:
    golden("bench/plain.txt", table.plain(ROWS))


def test_the_table_for_a_page_looks_as_it_did(golden: Callable[[str, str], None]) -> None:
    golden("bench/table.md", table.markdown(ROWS))


def test_no_line_is_wider_than_a_hundred_columns_whatever_the_texts() -> None:
    long = Absent("check50", "absent", "it " + "could not be installed " * 20)
    rows = [
        Row("group " * 4, "a word or two " * 9, 123.456, "something else " * 9, 0.0001, at_most(1)),
        Row("group", "what", 99999.9, "other", 99999.9, at_least(1e-9), Unit.PER_SECOND),
        Row("group", "what", 1.0, "other", long),
    ]
    assert max(map(len, table.plain(rows).splitlines())) <= 100


def test_nothing_of_a_long_text_is_lost() -> None:
    words = [f"word{n}" for n in range(12)]
    shown = table.plain([Row("group", " ".join(words), 1.0, "other", 1.0)])
    assert all(word in shown for word in words)


@pytest.mark.parametrize(
    ("target", "ours", "verdict"),
    [
        (at_most(2), 2.0, "met"),
        (at_most(2), 2.1, "MISSED"),
        (at_least(2), 2.0, "met"),
        (at_least(2), 1.9, "MISSED"),
    ],
)
def test_a_target_is_met_up_to_its_limit(target: table.Target, ours: float, verdict: str) -> None:
    assert Row("group", "what", ours, "other", 1.0, target).cells()[-1].endswith(verdict)


def test_a_figure_that_there_is_not_says_so_in_its_cell_and_once_why() -> None:
    shown = table.plain(ROWS)
    assert shown.count("could not be installed: no such index") == 1
    cells = ROWS[2].cells()
    assert cells[3:] == ("absent", "-", "<= 1")


@pytest.mark.parametrize(
    ("seconds", "shown"), [(12.3456, "12.35 s"), (0.5, "500 ms"), (0.00912, "9.1 ms")]
)
def test_seconds_are_shown_in_a_unit_that_reads_well(seconds: float, shown: str) -> None:
    assert table.figure(seconds, Unit.SECONDS) == shown


def test_the_program_prints_the_table_and_writes_the_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(program, "measure", lambda *_: ROWS)
    program.main(["--quick", f"--json={tmp_path / 'bench.json'}"])
    assert table.plain(ROWS) in capsys.readouterr().out
    told = json.loads((tmp_path / "bench.json").read_text())["rows"]
    assert [row["ratio"] for row in told] == [row.ratio for row in ROWS]
    assert told[2]["takes"] is None
    assert told[2]["absent"] == GONE.reason


def test_the_program_refuses_a_peer_that_it_does_not_know(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as ended:
        program.main(["--peers", "pytest,check51"])
    assert ended.value.code == 2
    assert "check51; there are pytest, check50, otter-grader, nbgrader" in capsys.readouterr().err
