"""How late a submission is, and what that costs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_WORKSHEET = ("%A, %d %B %Y, %I:%M %p", "%A, %d %B %Y, %H:%M", "%d %B %Y, %I:%M %p")
"""how Moodle's grading worksheet writes times"""


@dataclass(frozen=True)
class LatePolicy:
    """When it is due, and the share of the score that each day after that costs."""

    due: str = ""
    """ISO; empty: nothing is late"""
    per_day: float = 0.0
    at_most: float = 1.0

    def to_json(self) -> dict[str, Any]:
        """As plain data."""
        return {"due": self.due, "per_day": self.per_day, "at_most": self.at_most}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> LatePolicy:
        """From `to_json`."""
        return cls(**data)

    def days(self, when: str, extension: float = 0.0) -> int | None:
        """Days begun after the time that it was due; None where one of the two is not known."""
        due, handed_in = moment(self.due), moment(when)
        if due is None or handed_in is None:
            return None
        late = handed_in - due - timedelta(days=extension)
        return max(0, math.ceil(late / timedelta(days=1)))

    def cost(self, days: int | None) -> float:
        """The share of the score that so many days cost, 0 to 1."""
        return min(self.at_most, self.per_day * (days or 0))


def moment(text: str) -> datetime | None:
    """A time that a platform or a person wrote; without a zone it is taken for UTC."""
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        return _of_worksheet(text.strip())
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _of_worksheet(text: str) -> datetime | None:
    for form in _WORKSHEET:
        try:
            return datetime.strptime(text, form).replace(tzinfo=UTC)
        except ValueError:
            continue
    return None
