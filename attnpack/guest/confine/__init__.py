"""Confining learner code: `prepare` once in the warm process, `confine` in each fork of it.

docs/security.md says what is denied and by which mechanism. Nothing that a platform lacks is
imported there; where a mechanism is missing, `Confinement` says so.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from attnpack.guest.confine import (
    descriptors,
    interpreter,
    landlock,
    limits,
    namespaces,
    privileges,
    scratch,
    seccomp,
    view,
)
from attnpack.guest.confine.kernel import machine
from attnpack.guest.confine.policy import Confinement, ConfinementError, Policy, Tier

__all__ = [
    "Confinement",
    "ConfinementError",
    "Policy",
    "Tier",
    "close",
    "confine",
    "leave",
    "prepare",
]


@dataclass(frozen=True)
class Prepared:
    """What the warm process did and found out once, for every fork of it."""

    pid: int
    root: bool
    namespaces: tuple[str, ...]
    view: bool
    landlock: int | None
    """the ABI of this kernel"""
    rules: int | None
    """descriptor of the Landlock rules; it stays open in the warm process"""
    reachable: bool
    """a user who owns nothing can read the interpreter where it lies now"""
    mapped: int
    """address space of the warm process, bytes"""
    tasks_elsewhere: int
    """threads that the guest's user has already"""
    readable: tuple[str, ...]
    scratch: str
    """where there is no view: the folder in which each guest has one"""


@cache
def prepare() -> Prepared | None:
    """Leave the machine's namespaces and files, once, when all imports are done; None off Linux.

    Afterwards this process reads nothing but the interpreter and its libraries (of attnpack
    nothing: what is needed is imported by then), and every fork of it lives in namespaces of
    its own. Raises ConfinementError where it fails half way.
    """
    column = machine()
    if column is None:
        return None
    seccomp.same_for_all(column)  # kept for the forks
    readable, hidden = interpreter.readable(), interpreter.hidden()
    shown = view.plan(readable, hidden, (scratch.PARENT, scratch.OWN))
    uid = os.getuid()
    reachable = interpreter.is_reachable_by_others()
    mapped = limits.mapped_bytes()
    tasks_elsewhere = 0 if uid == 0 else limits.tasks_of(uid)
    try:
        rules = landlock.ruleset(
            interpreter.without_hidden(readable, hidden), interpreter.split(readable, hidden)
        )
        names = namespaces.enter()
        has_view = "mnt" in names and view.enter(shown)
        parent = "" if has_view else scratch.make_parent()
        if rules is not None and (has_view or parent):
            landlock.allow_writing(rules, parent or scratch.PARENT)
    except OSError as error:
        raise ConfinementError(f"leaving the machine's namespaces failed: {error}") from error
    return Prepared(
        pid=os.getpid(),
        root=uid == 0,
        namespaces=names,
        view=has_view,
        landlock=landlock.abi(),
        rules=rules,
        reachable=reachable or has_view,
        mapped=mapped,
        tasks_elsewhere=tasks_elsewhere,
        readable=readable,
        scratch=parent,
    )


def confine(policy: Policy, number: int = 0) -> Confinement:
    """Put the policy in force in this process, for good, before any learner code arrives.

    `number` is the guest's among those of the warm process: it names its folder.
    To be called in a fork of the process that called `prepare`.
    Raises ConfinementError where less than `policy.require` was reached; then the process has
    lost some of its rights and can only end.
    """
    prepared = prepare()
    if prepared is None:
        inforce = Confinement(limits=limits.apply(policy, limits.mapped_bytes(), 0))
    else:
        try:
            inforce = _on_linux(policy, prepared, number)
        except OSError as error:
            raise ConfinementError(f"confining the guest failed: {error}") from error
    if inforce.tier.rank < policy.require.rank:
        raise ConfinementError(
            f"isolation {policy.require} is required, only {inforce.tier} was reached: {inforce}"
        )
    return inforce


def leave(number: int) -> None:
    """Remove what a guest that has ended left on the machine's disk."""
    prepared = prepare()
    if prepared is not None and prepared.scratch:
        with contextlib.suppress(OSError):
            scratch.remove(str(Path(prepared.scratch, str(number))))


def close() -> None:
    """Remove the folder of all guests; for the end of the warm process."""
    prepared = prepare()
    if prepared is not None and prepared.scratch:
        with contextlib.suppress(OSError):
            Path(prepared.scratch).rmdir()


def _on_linux(policy: Policy, prepared: Prepared, number: int) -> Confinement:
    privileges.lead_own_session()
    rules = () if prepared.rules is None else (prepared.rules,)
    descriptors.close_all_but((*policy.keep, *rules))
    uid = _uid(policy, prepared)
    own, bounded = _scratch(policy, prepared, uid, number)
    rules = (*rules, *_second_rules(prepared, own))
    limited = limits.apply(policy, prepared.mapped, prepared.tasks_elsewhere)
    privileges.no_new_privileges()
    for descriptor in rules:
        landlock.restrict(descriptor)
    if own:
        scratch.live_in(own)
    if uid != os.getuid():
        privileges.become(uid)
    if prepared.root and rules and not prepared.reachable:
        privileges.keep_reading_only()
    else:
        privileges.drop_capabilities()
    privileges.die_with_parent(prepared.pid)
    privileges.not_dumpable()
    filtered = seccomp.install()
    return Confinement(
        namespaces=prepared.namespaces,
        view=prepared.view,
        landlock=prepared.landlock,
        seccomp=filtered,
        limits=limited,
        uid=os.getuid(),
        scratch=own,
        scratch_is_bounded=bounded,
    )


def _uid(policy: Policy, prepared: Prepared) -> int:
    """Who the guest will be: of root's, a user whom nobody else is, if that one can read Python."""
    if not prepared.root or (prepared.rules is None and not prepared.reachable):
        return os.getuid()
    return policy.uid or privileges.uid_of_guest(prepared.pid, os.getpid())


def _scratch(policy: Policy, prepared: Prepared, uid: int, number: int) -> tuple[str, bool]:
    """The guest's folder ("" where there is none), and whether the kernel bounds it."""
    if prepared.view:
        return (scratch.OWN, True) if scratch.mount(policy, uid) else ("", False)
    return (scratch.make(prepared.scratch, uid, number) if prepared.scratch else "", False)


def _second_rules(prepared: Prepared, own: str) -> tuple[int, ...]:
    """Where guests' folders lie side by side: no other guest's. Rules of both layers must allow."""
    if prepared.rules is None or prepared.view or not own:
        return ()
    rules = landlock.ruleset(prepared.readable)
    assert rules is not None
    landlock.allow_writing(rules, own)
    return (rules,)
