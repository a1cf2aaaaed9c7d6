"""A ledger that was torn, hit and appended to again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attnpack.grade.ledger import FILE_NAME, Ledger, read_ledger

if TYPE_CHECKING:
    from pathlib import Path

ENTRIES = [
    {"kind": "found", "submission": 'a "quoted" {"sum":" name\n\u2028'},
    {"kind": "judged", "points": 0.1 + 0.2},
    {"kind": "done", "found": 2},
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with Ledger(tmp_path / FILE_NAME) as ledger:
        for entry in ENTRIES:
            ledger.append(entry)
    return tmp_path / FILE_NAME


def test_what_is_written_is_read_back(path: Path) -> None:
    reading = read_ledger(path)
    assert list(reading.entries) == ENTRIES
    assert reading.damaged == ()


def test_a_missing_ledger_holds_nothing(tmp_path: Path) -> None:
    assert read_ledger(tmp_path / FILE_NAME).entries == ()


def test_a_torn_last_line_costs_that_line_wherever_it_is_torn(path: Path) -> None:
    whole = path.read_bytes()
    start = whole.rstrip(b"\n").rindex(b"\n") + 1
    for end in range(start + 1, len(whole) - 1):
        path.write_bytes(whole[:end])
        reading = read_ledger(path)
        assert list(reading.entries) == ENTRIES[:2]
        assert reading.damaged == (3,)


def test_appending_after_a_torn_line_starts_a_new_one(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9])
    with Ledger(path) as ledger:
        ledger.append({"kind": "done", "found": 3})
    assert [e["kind"] for e in read_ledger(path).entries] == ["found", "judged", "done"]
    assert read_ledger(path).entries[-1]["found"] == 3


def test_every_flipped_bit_is_found_and_costs_no_valid_line(path: Path) -> None:
    whole = path.read_bytes()
    ends = [at for at, byte in enumerate(whole) if byte == ord("\n")]
    for at in range(len(whole)):
        for bit in range(8):
            hit = bytearray(whole)
            hit[at] ^= 1 << bit
            path.write_bytes(hit)
            entries = read_ledger(path).entries
            line = sum(end < at for end in ends)
            others = [e for number, e in enumerate(ENTRIES) if number != line]
            assert all(entry in entries for entry in others), (at, bit)
            assert all(entry in ENTRIES for entry in entries), (at, bit)
            if at not in ends:
                assert ENTRIES[line] not in entries or read_ledger(path).damaged, (at, bit)


@settings(max_examples=50, deadline=None)
@given(st.dictionaries(st.text(max_size=8), st.text(max_size=30), max_size=4))
def test_any_text_survives(tmp_path_factory: pytest.TempPathFactory, entry: dict[str, str]) -> None:
    path = tmp_path_factory.mktemp("ledger") / FILE_NAME
    with Ledger(path) as ledger:
        ledger.append(entry)
    assert read_ledger(path).entries == (entry,)
