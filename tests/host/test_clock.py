"""The deadline counts what the guest does, not what the machine does."""

from __future__ import annotations

import os

import pytest

from attnpack.host import clock
from attnpack.host.clock import Stopwatch, Usage


class Machine:
    """Wall time and the process' doings, moved by hand."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        self.usage: Usage | None = Usage(0.0, ready=True)
        monkeypatch.setattr(clock.time, "monotonic", lambda: self.now)
        monkeypatch.setattr(clock, "usage", lambda _pid: self.usage)
        self.watch = Stopwatch(1, deadline_s=2.0, total_s=5.0)
        self.passes(0.0)

    def passes(self, wall_s: float, cpu_s: float = 0.0, *, ready: bool = True) -> None:
        self.now += wall_s
        if self.usage is not None:
            self.usage = Usage(self.usage.cpu_s + cpu_s, ready)
        self.watch.look()


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


def test_computing_counts(machine: Machine) -> None:
    machine.passes(1.9, cpu_s=1.9)
    assert not machine.watch.overdue
    machine.passes(0.2, cpu_s=0.2)
    assert machine.watch.overdue


def test_sleeping_counts(machine: Machine) -> None:
    machine.passes(2.1, ready=False)
    assert machine.watch.overdue


def test_waiting_for_a_busy_machine_does_not_count(machine: Machine) -> None:
    machine.passes(10.0, cpu_s=0.5)
    assert not machine.watch.overdue
    assert not machine.watch.starved


def test_waiting_for_ever_is_the_machines_fault(machine: Machine) -> None:
    machine.passes(60.0, cpu_s=0.1)
    assert not machine.watch.overdue
    assert machine.watch.starved


def test_the_next_question_has_its_own_deadline_within_the_total(machine: Machine) -> None:
    for _ in range(3):
        machine.passes(0.0)
        machine.passes(1.5, cpu_s=1.5)
        assert not machine.watch.overdue
        machine.watch.answered()
    machine.passes(0.0)
    machine.passes(1.5, cpu_s=1.5)
    assert machine.watch.overdue


def test_where_only_wall_time_is_known_there_is_more_patience(machine: Machine) -> None:
    machine.usage = None
    machine.passes(5.0)
    assert not machine.watch.overdue
    machine.passes(1.5)
    assert machine.watch.overdue


def test_this_process_is_computing_and_no_process_tells_nothing() -> None:
    mine = clock.usage(os.getpid())
    assert mine is None or mine.cpu_s > 0
    assert clock.usage(2**22 + 1) is None
