"""How far this machine can confine learner code: tried out, not assumed.

A confined process attempts what it must not do, and the tier follows from what was denied.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attnpack.guest.confine.attempts import ATTEMPTS, Ground
from attnpack.guest.confine.kernel import machine
from attnpack.guest.confine.policy import Policy, Tier

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "Denial",
    "Isolation",
    "IsolationError",
    "Policy",
    "Tier",
    "probe",
    "require",
    "what_to_change",
]

_PACKAGE = Path(__file__).resolve().parents[1]
_TIMEOUT_S = 60.0
_IN_THE_CHILD = """
import sys
sys.path.insert(0, sys.argv[1])
from attnpack.guest.confine.attempts import main
main(sys.argv[2], sys.argv[3])
"""


class IsolationError(Exception):
    """This machine reaches less than was required; the message says what to change."""


@dataclass(frozen=True)
class Denial:
    """One forbidden thing and whether it was denied here."""

    name: str
    tier: Tier
    """the weakest tier that denies it"""
    denied: bool


@dataclass(frozen=True)
class Isolation:
    """What the trial showed."""

    tier: Tier
    denials: tuple[Denial, ...]
    inforce: dict[str, Any]
    """the mechanisms: namespaces, view, landlock, seccomp, limits, uid"""
    fault: str = ""
    """why the trial could not be held, where it could not"""

    def to_json(self) -> dict[str, Any]:
        """The whole table as plain data."""
        return asdict(self)


@cache
def probe(policy: Policy | None = None) -> Isolation:
    """Try the forbidden things in a confined process, once; takes about a tenth of a second."""
    if machine() is None:
        return Isolation(Tier.PROCESS, _none_denied(), {}, "no confinement is known here")
    trial = replace(policy or Policy(), require=Tier.PROCESS)
    with _ground() as ground:
        found = _run(trial, ground)
    if isinstance(found, str):
        return Isolation(Tier.PROCESS, _none_denied(), {}, found)
    denials = tuple(Denial(a.name, a.tier, found["denied"].get(a.name, False)) for a in ATTEMPTS)
    return Isolation(_reached(denials), denials, found["inforce"])


def require(tier: Tier, isolation: Isolation | None = None) -> Isolation:
    """The machine's isolation. Raises IsolationError where it is below `tier`."""
    found = isolation or probe()
    if found.tier.rank < tier.rank:
        raise IsolationError(what_to_change(tier, found))
    return found


def _reached(denials: tuple[Denial, ...]) -> Tier:
    reached = Tier.PROCESS
    for tier in (Tier.CONTAINED, Tier.FULL):
        if all(denial.denied for denial in denials if denial.tier.rank <= tier.rank):
            reached = tier
    return reached


def _none_denied() -> tuple[Denial, ...]:
    return tuple(Denial(attempt.name, attempt.tier, denied=False) for attempt in ATTEMPTS)


@contextmanager
def _ground() -> Iterator[Ground]:
    with tempfile.TemporaryDirectory(prefix="attnpack-probe-") as folder, socket.socket() as door:
        Path(folder).chmod(0o777)
        secret = Path(folder, "secret")
        secret.write_text("not to be read")
        secret.chmod(0o666)
        door.bind(("127.0.0.1", 0))
        door.listen()
        port = door.getsockname()[1]
        yield Ground(folder, port, os.getpid(), str(_PACKAGE), socket.gethostname())


def _run(policy: Policy, ground: Ground) -> dict[str, Any] | str:
    """What the confined process said, or why it said nothing."""
    arguments = (str(_PACKAGE.parent), policy.to_json(), json.dumps(asdict(ground)))
    command = [sys.executable, "-I", "-S", "-c", _IN_THE_CHILD, *arguments]
    try:
        done = subprocess.run(
            command, env={}, capture_output=True, text=True, timeout=_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"the trial did not end: {error}"
    try:
        said: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        return f"the trial gave no result: {last}"
    return said


def what_to_change(tier: Tier, found: Isolation) -> str:
    """Why `tier` is not reached here, and what would reach it."""
    let = [d.name for d in found.denials if d.tier.rank <= tier.rank and not d.denied]
    lines = [
        f"Isolation `{tier}` is required, and this machine reaches `{found.tier}`.",
        f"Learner code could still: {', '.join(let)}.",
    ]
    if found.fault:
        lines.append(f"Why: {found.fault}.")
    lines += [f"- {advice}" for advice in _advice(found)]
    lines.append(
        f"Or, for code that you trust, say what you accept: --require-isolation {found.tier}"
    )
    return "\n".join(lines)


def _advice(found: Isolation) -> Iterator[str]:
    if not sys.platform.startswith("linux"):
        yield "Run it on Linux: a virtual machine, a container or a CI runner."
        return
    for mechanism, advice in _ADVICE.items():
        if not found.inforce.get(mechanism):
            yield advice


_ADVICE = {
    "seccomp": (
        "The kernel gives no seccomp filter: use one with CONFIG_SECCOMP_FILTER, "
        "on x86_64 or arm64."
    ),
    "landlock": (
        "Landlock is off: use Linux 5.13 or newer, with `landlock` in the boot parameter `lsm=`."
    ),
    "view": (
        "No namespaces: run as root, or allow them to users "
        "(sysctl kernel.apparmor_restrict_unprivileged_userns=0; "
        "in Docker --cap-add SYS_ADMIN --security-opt apparmor=unconfined)."
    ),
}
