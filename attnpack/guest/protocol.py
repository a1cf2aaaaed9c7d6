"""Frames between host and guest: `u32 header length, u32 body length, JSON header, array bytes`.

Both sides use this module. An array travels as `[dtype, shape, offset]` in the header and its
bytes in the body. Lengths, dtypes and shapes are checked before anything is allocated; nothing
is ever unpickled.
"""

from __future__ import annotations

import json
import math
import struct
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

MAX_REPLY_HEADER = 4096
MAX_REPLY_BODY = 4 << 20
MAX_REQUEST_HEADER = 64 << 20
MAX_REQUEST_BODY = 1 << 30
MAX_NDIM = 8
MAX_RESULTS = 8
MAX_REPLY_NUMBERS = 1 << 19
"""of all arrays of one reply: as float64, which the judge computes with, 4 MiB"""
MAX_TASK_NUMBERS = 1 << 22
"""of all replies of a task"""

_LENGTHS = struct.Struct("<II")
_to_json = json.JSONEncoder(separators=(",", ":")).encode

CONTROL = struct.Struct("<i")
"""To and from the process that forks guests: a process id, or a wait status."""

FAILED = -1
"""Instead of a process id: there is none."""

ITEM_SIZES = {
    "|b1": 1, "|i1": 1, "|u1": 1,
    "<i2": 2, "<u2": 2, "<f2": 2,
    "<i4": 4, "<u4": 4, "<f4": 4,
    "<i8": 8, "<u8": 8, "<f8": 8,
}  # fmt: skip
"""The dtypes that travel, little-endian, and the bytes of one element."""


class ProtocolError(Exception):
    """The other side sent something that is no frame of this protocol."""


class Body:
    """The array bytes of a frame under construction."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.length = 0
        self.numbers = 0

    def add(self, array: NDArray[Any]) -> list[Any]:
        """Append an array; returns its reference for the header: dtype, shape, offset.

        Raises ProtocolError for a dtype that is not whitelisted, or too many axes.
        """
        dtype = array.dtype.str
        if dtype not in ITEM_SIZES:
            dtype = array.dtype.newbyteorder("<").str
            if dtype not in ITEM_SIZES:
                raise ProtocolError(f"{array.dtype} does not travel")
            array = array.astype(dtype)
        if array.ndim > MAX_NDIM:
            raise ProtocolError(f"{array.ndim} axes do not travel")
        reference = [dtype, list(array.shape), self.length]
        data = array.tobytes()
        self.parts.append(data)
        self.length += len(data)
        self.numbers += array.size
        return reference


def frame(header: dict[str, Any], body: Body | None = None) -> bytes:
    """A whole frame."""
    encoded = _to_json(header).encode("ascii")
    parts = body.parts if body else []
    length = body.length if body else 0
    return b"".join((_LENGTHS.pack(len(encoded), length), encoded, *parts))


def take(reference: object, body: memoryview) -> NDArray[Any]:
    """The array of a reference, read-only over the frame's own bytes. Raises ProtocolError."""
    import numpy as np

    if not (isinstance(reference, list) and len(reference) == 3):
        raise ProtocolError("an array reference is [dtype, shape, offset]")
    dtype, shape, offset = reference
    if not isinstance(dtype, str) or dtype not in ITEM_SIZES:
        raise ProtocolError("a dtype that does not travel")
    if not isinstance(shape, list) or len(shape) > MAX_NDIM:
        raise ProtocolError("a shape is a list of at most 8 sizes")
    if not all(type(size) is int and 0 <= size <= MAX_REQUEST_BODY for size in (*shape, offset)):
        raise ProtocolError("sizes and offsets are whole numbers within the frame")
    if math.prod(size for size in shape if size) > MAX_REQUEST_BODY:
        raise ProtocolError("a shape too large for any frame")  # even one with no elements
    count = math.prod(shape)
    if count == 0:
        return np.empty(shape, dtype)
    if offset + count * ITEM_SIZES[dtype] > len(body):
        raise ProtocolError("an array reaches beyond the frame")
    return np.frombuffer(body, dtype=dtype, count=count, offset=offset).reshape(shape)


READY = frame({"frame": "ready"})
"""The first words of a guest that nothing confines."""


class FrameReader:
    """Cuts a stream of bytes into frames, whatever pieces it comes in."""

    def __init__(self, max_header: int, max_body: int) -> None:
        self._max_header = max_header
        self._max_body = max_body
        self._buffer = bytearray()

    def feed(self, data: bytes) -> None:
        """Add bytes as they arrived."""
        self._buffer += data

    def frames(self) -> Iterator[tuple[dict[str, Any], memoryview]]:
        """Every whole frame that has arrived. Raises ProtocolError on the first bad one."""
        buffer = self._buffer
        start = 0
        try:
            while len(buffer) - start >= _LENGTHS.size:
                header_length, body_length = _LENGTHS.unpack_from(buffer, start)
                if header_length > self._max_header or body_length > self._max_body:
                    raise ProtocolError(f"a frame of {header_length} + {body_length} bytes")
                body_start = start + _LENGTHS.size + header_length
                end = body_start + body_length
                if len(buffer) < end:
                    break
                header = _header(bytes(buffer[start + _LENGTHS.size : body_start]))
                body = memoryview(bytes(buffer[body_start:end]))
                start = end
                yield header, body
        finally:
            del buffer[:start]


def _header(encoded: bytes) -> dict[str, Any]:
    try:
        header = json.loads(encoded)
    except (ValueError, RecursionError):
        raise ProtocolError("a header that is not JSON") from None
    if not isinstance(header, dict):
        raise ProtocolError("a header that is not an object")
    return header
