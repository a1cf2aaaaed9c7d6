"""What learner code prints: kept up to a cap, drained beyond it."""

from __future__ import annotations

CAP = 64 << 10
CUT = "\n… (output cut here: {dropped} more bytes)\n"


class Output:
    """Bytes as they come from the pipe."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self._dropped = 0

    def feed(self, data: bytes) -> None:
        """Keep what fits; count the rest."""
        kept = data[: CAP - len(self._kept)]
        self._kept += kept
        self._dropped += len(data) - len(kept)

    def text(self) -> str:
        """As text, with a visible mark where it was cut."""
        text = self._kept.decode("utf-8", "replace")
        return text + CUT.format(dropped=self._dropped) if self._dropped else text
