"""Confining this process before learner code arrives: `prepare` once, `confine` in each child.

docs/security.md says what is denied and by which mechanism. Nothing here is imported by a
platform that lacks it; where a mechanism is missing, `Confinement` says so.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from attnpack.guest.confine import (
    descriptors,
    interpreter,
    landlock,
    limits,
    namespaces,
    privileges,
    seccomp,
    view,
)
from attnpack.guest.confine.kernel import machine
from attnpack.guest.confine.policy import Confinement, ConfinementError, Policy, Tier

if TYPE_CHECKING:
    from collections.abc import Callable

    from attnpack.guest.confine.view import View

__all__ = ["Confinement", "ConfinementError", "Policy", "Tier", "confine", "prepare"]


@dataclass(frozen=True)
class Prepared:
    """What is worked out once in the warm process and used by every child of it."""

    view: View
    landlock: int | None
    """the ABI of this kernel"""
    rules: int | None
    """descriptor of the Landlock rules; it stays open in the warm process"""
    reachable: bool
    """an ordinary user can read the interpreter where it lies"""


@lru_cache(maxsize=1)
def prepare(policy: Policy) -> Prepared | None:
    """Work out the readable paths, once the imports are done; None off Linux."""
    if machine() is None:
        return None
    readable = (*interpreter.readable(), *policy.readable)
    hidden = interpreter.hidden()
    rules = landlock.ruleset(interpreter.without_hidden(readable, hidden))
    reachable = interpreter.is_reachable_by_others()
    return Prepared(view.plan(readable, hidden), landlock.abi(), rules, reachable)


def confine(policy: Policy, announce: Callable[[int], None] | None = None) -> Confinement:
    """Put the policy in force in this process, for good, before any learner code arrives.

    Where a process namespace can be had, the caller goes on in a fork of itself and the process
    that was waits for it. `announce` is called in the waiting process, or here where there is
    none, with the id of the confined process as the machine sees it.
    Raises ConfinementError where less than `policy.require` was reached; then the process has
    lost some of its rights and can only end.
    """
    prepared = prepare(policy)
    try:
        inforce = _on_linux(policy, prepared, announce) if prepared else _elsewhere(policy)
    except OSError as error:
        raise ConfinementError(f"confining the guest failed: {error}") from error
    if inforce.tier.rank < policy.require.rank:
        raise ConfinementError(
            f"isolation {policy.require} is required, only {inforce.tier} was reached: {inforce}"
        )
    return inforce


def _on_linux(
    policy: Policy, prepared: Prepared, announce: Callable[[int], None] | None
) -> Confinement:
    privileges.die_with_parent()
    privileges.lead_own_session()
    descriptors.read_from_nowhere()
    number, was_root = os.getpid(), os.getuid() == 0
    mapped = limits.mapped_bytes()
    tasks_before = 0 if was_root else limits.tasks_of(os.getuid())

    names = namespaces.enter()
    if "pid" in names:
        namespaces.become_first_process(announce)
        privileges.lead_own_session()
    elif announce is not None:
        announce(number)
    has_view = "mnt" in names and view.enter(prepared.view)

    rules = () if prepared.rules is None else (prepared.rules,)
    descriptors.close_all_but((*policy.keep, *rules))
    limited = limits.apply(policy, mapped, tasks_before)
    privileges.no_new_privileges()
    for descriptor in rules:
        landlock.restrict(descriptor)
    if was_root:
        privileges.become(policy.uid or privileges.uid_of_guest(number))
    if was_root and rules and not (has_view or prepared.reachable):
        privileges.keep_reading_only()
    else:
        privileges.drop_capabilities()
    privileges.die_with_parent()
    privileges.not_dumpable()
    filtered = seccomp.install()
    return Confinement(
        namespaces=names,
        view=has_view,
        landlock=prepared.landlock,
        seccomp=filtered,
        limits=limited,
        uid=os.getuid(),
    )


def _elsewhere(policy: Policy) -> Confinement:
    return Confinement(limits=limits.apply(policy, limits.mapped_bytes(), 0))
