"""Bytes that were right once: cut, hit, doubled, swapped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable

INTERESTING = [b"\0", b"\xff", b"\n", b"}", b'"', b"\xff\xff\xff\xff", b"\0\0\0\0", b"\x80", b"-1"]


@st.composite
def mutated(draw: st.DrawFn, whole: bytes) -> bytes:
    """A few changes at places of the text."""
    data = bytearray(whole)
    for _ in range(draw(st.integers(1, 5))):
        at = draw(st.integers(0, len(data)))
        _change(draw)(draw, data, at)
    return bytes(data)


def _change(draw: st.DrawFn) -> Callable[[st.DrawFn, bytearray, int], None]:
    return draw(st.sampled_from([_cut, _hit, _put, _take_out, _double, _overwrite]))


def _cut(_draw: st.DrawFn, data: bytearray, at: int) -> None:
    del data[at:]


def _hit(draw: st.DrawFn, data: bytearray, at: int) -> None:
    if at < len(data):
        data[at] ^= 1 << draw(st.integers(0, 7))


def _put(draw: st.DrawFn, data: bytearray, at: int) -> None:
    data[at:at] = draw(st.sampled_from(INTERESTING) | st.binary(max_size=8))


def _overwrite(draw: st.DrawFn, data: bytearray, at: int) -> None:
    new = draw(st.sampled_from(INTERESTING) | st.binary(min_size=1, max_size=8))
    data[at : at + len(new)] = new


def _take_out(draw: st.DrawFn, data: bytearray, at: int) -> None:
    del data[at : at + draw(st.integers(1, 64))]


def _double(draw: st.DrawFn, data: bytearray, at: int) -> None:
    end = at + draw(st.integers(1, 600))
    data[at:at] = data[at:end]
