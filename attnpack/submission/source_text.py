"""Bytes of a Python file as text, as Python itself would read them, and kinder where it refuses."""

from __future__ import annotations

import codecs
import io
import tokenize

_NOT_FOR_TEXT = {"punycode", "idna"}
"""for names of hosts; reading a file as one takes time that grows with its square"""
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def decode(data: bytes, name: str) -> tuple[str, str | None]:
    """The text, by its coding line or as UTF-8; and a note where that did not work."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        if codecs.lookup(encoding).name in _NOT_FOR_TEXT:
            return _as_if_utf_8(data, name)
        return _lines(data.decode(encoding)), None
    except SyntaxError as error:
        if data.startswith(_UTF_16):
            return _lines(data.decode("utf-16", "replace")), f"{name} is UTF-16. {_SAVE}"
        if "unknown encoding" in str(error):
            return _as_if_utf_8(data, name)
    except LookupError:  # rot13, hex ...: known, but none of texts
        return _as_if_utf_8(data, name)
    except UnicodeError:
        pass
    return _lines(data.decode("latin-1")), f"{name} is not UTF-8 ({_first_bad(data)}). {_SAVE}"


def _as_if_utf_8(data: bytes, name: str) -> tuple[str, str]:
    """Where the coding line is of no help."""
    note = f"The coding line of {name} names an encoding that Python does not know. {_SAVE}"
    return _lines(data.decode("utf-8", "replace")), note


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _first_bad(data: bytes) -> str:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return f"byte 0x{data[error.start]:02x} in line {line}"
    return "against its coding line"


_SAVE = "It was read as well as can be; save it as UTF-8, or Python itself may refuse it."
