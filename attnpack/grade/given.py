"""Files that an instructor gives, TOML and CSV: read, or refused in a sentence that names them."""

from __future__ import annotations

import codecs
import csv
import io
import json
import re
import tomllib
from typing import TYPE_CHECKING, Any

from attnpack.errors import BadInputError

if TYPE_CHECKING:
    from pathlib import Path


def toml(path: Path) -> dict[str, Any]:
    """The whole of a TOML file. Raises BadInputError."""
    try:
        data = tomllib.loads(_text(path))
        json.dumps(data, default=str)  # a number of thousands of digits could not even be shown
    except (ValueError, RecursionError) as error:
        raise BadInputError(f"{path}: {error}") from error
    return data


def rows(path: Path) -> list[list[str]]:
    """The rows of a CSV file, its header first, whatever separates them. Raises BadInputError."""
    text = _text(path)
    first = text.lstrip().partition("\n")[0].strip()
    told = re.fullmatch(r"\"?sep=(.)\"?", first, re.IGNORECASE)
    if told:  # a line that Excel reads, and writes
        text = text.lstrip().partition("\n")[2]
    separator = told[1] if told else max(_SEPARATORS, key=_outside_quotes(first).count)
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
    except csv.Error as error:
        raise BadInputError(f"{path} cannot be read as CSV: {error}") from error


def number(text: str) -> float:
    """A number as people write it: `1.5` or `1,5`. Raises ValueError."""
    plain = str(text).strip()
    return float(plain.replace(",", ".") if plain.count(",") == 1 and "." not in plain else plain)


_SEPARATORS = (",", ";", "\t")


def _outside_quotes(line: str) -> str:
    return re.sub(r'"[^"]*+"?', "", line)


def _text(path: Path) -> str:
    """A file's text: UTF-8, UTF-16 with its mark, or else Windows' letters of western Europe."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInputError(f"{path} cannot be read: {error}") from error
    if b"\0" in data and not data.startswith(_UTF_16):
        raise BadInputError(f"{path} cannot be read as text: it holds zero bytes.")
    try:
        return data.decode("utf-16" if data.startswith(_UTF_16) else "utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
