"""Files that an instructor gives, TOML and CSV: read, or refused in a sentence that names them."""

from __future__ import annotations

import csv
import io
import json
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
    """The rows of a CSV file, its header first. Raises BadInputError."""
    try:
        return list(csv.reader(io.StringIO(_text(path), newline="")))
    except csv.Error as error:
        raise BadInputError(f"{path} cannot be read as CSV: {error}") from error


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"{path} cannot be read as UTF-8 text: {error}") from error
