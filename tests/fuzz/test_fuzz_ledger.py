"""A ledger that was cut, hit or mixed up: the damage is found, and nothing valid is lost."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import pytest
from effort import examples
from hypothesis import example, given
from hypothesis import strategies as st
from mutating import mutated

from attnpack.grade.ledger import FILE_NAME, Entry, Ledger, Reading, read_ledger

if TYPE_CHECKING:
    from pathlib import Path

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=8,
)
entries = st.lists(st.dictionaries(st.text(max_size=8), json_values, max_size=4), max_size=5)
ENTRIES: list[Entry] = [
    {"kind": "found", "submission": '{"sum":"00","entry":{}}\n\u2028\\"\ud800'},
    {"kind": "judged", "points": 0.1 + 0.2, "nested": {"a": [{}]}},
    {"kind": "done", "found": 2},
]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("ledger") / FILE_NAME


def written(path: Path, given_entries: list[Entry]) -> bytes:
    path.unlink(missing_ok=True)
    with Ledger(path) as ledger:
        for entry in given_entries:
            ledger.append(entry)
    return path.read_bytes()


def read(path: Path, data: bytes) -> Reading:
    path.write_bytes(data)
    return read_ledger(path)


@pytest.fixture(scope="module")
def whole(path: Path) -> bytes:
    return written(path, ENTRIES)


@examples(60)
@given(entries)
def test_what_is_written_is_read_back(path: Path, drawn: list[Entry]) -> None:
    assert read(path, written(path, drawn)) == Reading(tuple(drawn))


def test_every_flipped_bit_is_found_and_costs_no_other_line(path: Path, whole: bytes) -> None:
    ends = [at for at, byte in enumerate(whole) if byte == ord("\n")]
    for at in range(len(whole)):
        for bit in range(8):
            hit = bytearray(whole)
            hit[at] ^= 1 << bit
            reading = read(path, bytes(hit))
            line = sum(end < at for end in ends)
            assert reading.damaged, (at, bit)
            assert set(reading.damaged) <= {line + 1, line + 2}, (at, bit)
            kept = [entry for number, entry in enumerate(ENTRIES) if number != line]
            assert [entry for entry in reading.entries if entry != ENTRIES[line]] == kept, (at, bit)


def test_every_cut_is_found_and_costs_no_line_before_it(path: Path, whole: bytes) -> None:
    ends = [at for at, byte in enumerate(whole) if byte == ord("\n")]
    for end in range(len(whole)):
        reading = read(path, whole[:end])
        complete = sum(bound <= end for bound in ends)  # the newline itself may be gone
        assert list(reading.entries) == ENTRIES[:complete], end
        rest = whole[:end].rpartition(b"\n")[2]
        assert bool(reading.damaged) == (bool(rest) and end not in ends), end


@examples(300)
@given(st.data())
def test_a_ledger_that_was_hit_several_times_holds_nothing_that_was_not_written(
    path: Path, whole: bytes, data: st.DataObject
) -> None:
    reading = read(path, data.draw(mutated(whole)))
    assert all(entry in ENTRIES for entry in reading.entries)


def summed(text: bytes) -> bytes:
    return b'{"sum":"%s","entry":%s}\n' % (hashlib.sha256(text).hexdigest()[:32].encode(), text)


@examples(100)
@given(st.binary(max_size=120))
@example(b"\0" * 50)
@example(b'{"sum":"' * 20)
@example(b"\n" * 10)
@example(summed(b""))
@example(summed(b"[1]"))
@example(summed(b"nonsense"))
@example(summed(b"[" * 100_000))
@example(summed(b"\xff"))
def test_any_other_bytes_hold_no_entry_and_raise_nothing(path: Path, data: bytes) -> None:
    reading = read(path, data)
    assert reading.entries == ()
    assert bool(reading.damaged) == bool(data.strip())


@examples(60)
@given(st.data(), st.dictionaries(st.text(max_size=4), json_values, max_size=2))
def test_what_is_appended_after_any_cut_is_read(
    path: Path, whole: bytes, data: st.DataObject, entry: dict[str, Any]
) -> None:
    path.write_bytes(whole[: data.draw(st.integers(0, len(whole)))])
    before = read_ledger(path).entries
    with Ledger(path) as ledger:
        ledger.append(entry)
    assert read_ledger(path).entries == (*before, entry)
