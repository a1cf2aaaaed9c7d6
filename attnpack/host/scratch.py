"""The size of a guest's folder on the machine's disk, where no kernel caps it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from attnpack.guest.confine import scratch
from attnpack.guest.confine.policy import Policy

if TYPE_CHECKING:
    from collections.abc import Mapping

OVERFULL = "wrote more into its folder than it may"


@dataclass(frozen=True)
class Folder:
    """What a guest may write to; "" where the kernel caps it or there is none."""

    path: str = ""

    @classmethod
    def of(cls, confinement: Mapping[str, Any]) -> Folder:
        """The folder that a guest named when it was ready, before any learner code ran."""
        path = confinement.get("scratch")
        if not isinstance(path, str) or confinement.get("scratch_is_bounded"):
            return cls()
        return cls(path)

    @property
    def overfull(self) -> bool:
        """More bytes or files than the policy's."""
        if not self.path:
            return False
        size, files = scratch.used(self.path, Policy.scratch_files)
        return size > Policy.scratch_bytes or files > Policy.scratch_files
