"""What learner code prints: kept up to a cap, drained beyond it."""

from __future__ import annotations

CAP = 64 << 10
CUT = "\n… (output cut here)\n"


class Output:
    """Bytes as they come from the pipe."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self._cut = False

    def feed(self, data: bytes) -> None:
        """Keep what fits."""
        kept = data[: CAP - len(self._kept)]
        self._kept += kept
        self._cut = self._cut or len(kept) < len(data)

    def text(self) -> str:
        """As text, with a visible mark where it was cut."""
        text = self._kept.decode("utf-8", "replace")
        return text + CUT if self._cut else text
