"""What learners slip on, one exercise a file: the labels stand in the files themselves.

The first line names the exercise and the backend. A line that may be blamed ends in
`# here: ID ...`, with the ids that are right first names; `; also ID` names one that must stand
beside it. The marks are taken out before the code is judged.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

CASES = Path(__file__).parent / "cases"
_MARK = re.compile(r"\s*# here:(?P<first>[^;\n]*)(?:; also(?P<also>.*))?$")


@dataclass(frozen=True)
class Slip:
    """One labelled mistake."""

    name: str
    exercise: str
    backend: str
    text: str
    bugs: frozenset[str]
    also: frozenset[str]
    lines: frozenset[int]


def slips() -> list[Slip]:
    """All of them."""
    return [_read(path) for path in sorted(CASES.glob("*.py"))]


def _read(path: Path) -> Slip:
    lines = path.read_text(encoding="utf-8").splitlines()
    exercise, backend = lines[0].removeprefix("# ").split(", ")
    bugs: set[str] = set()
    also: set[str] = set()
    places = set()
    for number, line in enumerate(lines, start=1):
        mark = _MARK.search(line)
        if mark:
            bugs.update(mark["first"].split())
            also.update((mark["also"] or "").split())
            places.add(number)
            lines[number - 1] = line[: mark.start()]
    text = "\n".join(lines) + "\n"
    return Slip(
        path.stem, exercise, backend, text, frozenset(bugs), frozenset(also), frozenset(places)
    )
