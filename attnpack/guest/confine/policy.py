"""What a guest may do, and what was put in force: plain data, free to travel as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import StrEnum


class Tier(StrEnum):
    """How far a guest is confined. `rank` orders them: process < contained < full."""

    PROCESS = "process"
    """a process boundary and a deadline only"""
    CONTAINED = "contained"
    """no network, no writing, no reading beyond the interpreter and its libraries, no other
    process to see or signal, caps on memory, time and processes; whichever mechanism"""
    FULL = "full"
    """contained, in namespaces and a file system view of its own"""

    @property
    def rank(self) -> int:
        """0, 1, 2 from the weakest to the strongest."""
        return list(Tier).index(self)


class ConfinementError(Exception):
    """The confinement that the policy requires could not be put in force."""


@dataclass(frozen=True)
class Policy:
    """What one guest may do. Sizes in bytes, times in seconds."""

    memory_bytes: int = 1 << 30
    """address space beyond what the warm process has mapped already"""
    cpu_s: int = 60
    """CPU time of the whole guest; the kernel kills it after that"""
    tasks: int = 64
    """threads, the first one included; processes cannot be made at all"""
    open_files: int = 64
    stack_bytes: int = 8 << 20
    scratch_bytes: int = 32 << 20
    """what a guest may keep in the one folder that it can write to"""
    scratch_files: int = 1024
    keep: tuple[int, ...] = (0, 1, 2)
    """descriptors that stay open"""
    uid: int | None = None
    """the user that a guest of root becomes; None picks one that no other guest has"""
    require: Tier = Tier.CONTAINED
    """`confine` raises `ConfinementError` below it"""

    def to_json(self) -> str:
        """One line of JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Policy:
        """The policy that `to_json` wrote."""
        fields = json.loads(text)
        fields["keep"] = tuple(fields["keep"])
        fields["require"] = Tier(fields["require"])
        return cls(**fields)


@dataclass(frozen=True)
class Confinement:
    """What `confine` put in force in this process."""

    namespaces: tuple[str, ...] = ()
    """of user, net, pid, ipc, uts, mnt"""
    view: bool = False
    """a file system that holds the readable paths and nothing else"""
    landlock: int | None = None
    """the ABI in force"""
    seccomp: bool = False
    limits: tuple[str, ...] = ()
    """the names of the resource limits set"""
    uid: int | None = None
    scratch: str = ""
    """the folder of its own that the guest may write to"""
    scratch_is_bounded: bool = False
    """the kernel caps it; otherwise the host looks after it"""

    @property
    def tier(self) -> Tier:
        """The tier that these mechanisms reach; `isolation.probe` tries it out."""
        reading_confined = self.view or self.landlock is not None
        if not (self.seccomp and reading_confined and self.limits):
            return Tier.PROCESS
        if self.view and {"net", "pid", "ipc", "uts", "mnt"} <= set(self.namespaces):
            return Tier.FULL
        return Tier.CONTAINED
