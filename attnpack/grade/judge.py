"""The judge of a cohort: the runner, with warm guests in the strongest confinement here."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from attnpack.checking import runner
from attnpack.checking.screening import ShortForm
from attnpack.grade.jobs import InfrastructureFaultError, Settings
from attnpack.host import isolation
from attnpack.host.isolation import Policy, Tier
from attnpack.host.pool import GuestPool, open_pool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.pack import Pack
    from attnpack.report.model import Report
    from attnpack.submission import Submission
    from attnpack.terms import Backend


class ConfinedJudge:
    """One warm process per backend, in which each submission gets a fork of its own."""

    def __init__(self, tier: Tier, limits: runner.Limits) -> None:
        self._tier = tier
        self._limits = limits
        self._pools: dict[Backend, GuestPool] = {}
        self._short_forms: dict[tuple[str | None, int], ShortForm] = {}

    def check(
        self,
        submission: Submission,
        backend: Backend,
        seed: int,
        exercises: Sequence[str] | None,
        short_seed: int | None = None,
    ) -> Report:
        """Judge all exercises, or these; raises InfrastructureFaultError."""
        try:
            return runner.check(
                submission,
                backend=backend,
                seed=seed,
                exercises=exercises,
                keep_going=True,
                pool=self._pool(backend),
                isolation=self._tier.value,
                limits=self._limits,
                short_form=None
                if short_seed is None
                else self._short_form(submission.pack, short_seed),
            )
        except (runner.GuestFaultError, OSError) as fault:
            if backend in self._pools:
                self._pools.pop(backend).close()
            raise InfrastructureFaultError(str(fault)) from fault

    def close(self) -> None:
        """End the warm processes."""
        for pool in self._pools.values():
            pool.close()

    def _short_form(self, pack: Pack, seed: int) -> ShortForm:
        return self._short_forms.setdefault((pack.place, seed), ShortForm(pack, seed))

    def _pool(self, backend: Backend) -> GuestPool:
        if backend not in self._pools:
            # At `process`, too: what this machine has of the mechanisms is put in force.
            self._pools[backend] = open_pool(backend, Policy(require=self._tier).to_json())
        return self._pools[backend]


def open_judge(settings: Settings) -> ConfinedJudge:
    """The judge for these settings; raises InfrastructureFaultError below their tier."""
    try:
        found = isolation.require(Tier(settings.require or Tier.PROCESS))
    except isolation.IsolationError as error:
        raise InfrastructureFaultError(str(error)) from error
    limits = runner.Limits(purpose=runner.Purpose.MARKING)
    if settings.deadline_s:
        limits = replace(limits, call_s=settings.deadline_s, exercise_s=4 * settings.deadline_s)
    return ConfinedJudge(found.tier, limits)
