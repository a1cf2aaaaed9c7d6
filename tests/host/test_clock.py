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
        self.usage: Usage | None = Usage(0.0, ready=True, awake_s={"1": 0.0})
        monkeypatch.setattr(clock.time, "monotonic", lambda: self.now)
        monkeypatch.setattr(clock, "usage", lambda _pid: self.usage)
        self.watch = Stopwatch(1, deadline_s=2.0, total_s=5.0)

    def passes(
        self,
        wall_s: float,
        cpu_s: float = 0.0,
        *,
        queued_s: float = 0.0,
        ready: bool = False,
        heard: bool = False,
    ) -> None:
        """Wall time, in which one thread ran so long and was ready to run so long."""
        self.now += wall_s
        if self.usage is not None:
            awake = {"1": self.usage.awake_s["1"] + cpu_s + queued_s}
            self.usage = Usage(self.usage.cpu_s + cpu_s, ready, awake)
        self.watch.look(heard=heard)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


def test_computing_counts(machine: Machine) -> None:
    machine.passes(1.9, cpu_s=1.9)
    assert not machine.watch.overdue
    machine.passes(0.2, cpu_s=0.2)
    assert machine.watch.overdue


def test_sleeping_counts(machine: Machine) -> None:
    machine.passes(2.1)
    assert machine.watch.overdue


def test_sleeping_is_what_is_neither_running_nor_waiting_for_a_processor(machine: Machine) -> None:
    machine.passes(10.0, cpu_s=0.5, queued_s=8.3)
    assert not machine.watch.overdue
    machine.passes(10.0, cpu_s=0.5, queued_s=9.0)
    assert machine.watch.overdue


def test_waiting_for_a_busy_machine_does_not_count(machine: Machine) -> None:
    machine.passes(100.0, cpu_s=0.5, queued_s=99.5)
    assert not machine.watch.overdue
    assert not machine.watch.starved


def test_waiting_for_a_thread_that_waits_for_a_processor_does_not_count(machine: Machine) -> None:
    machine.now += 10.0
    machine.usage = Usage(0.2, ready=False, awake_s={"1": 0.1, "2": 9.9})
    machine.watch.look()
    assert not machine.watch.overdue


def test_waiting_for_the_host_does_not_count_unless_it_has_no_end(machine: Machine) -> None:
    for _ in range(50):
        machine.passes(1.0, heard=True)
        assert not machine.watch.overdue
    for _ in range(20):
        machine.passes(1.0, heard=True)
    assert machine.watch.overdue


def test_waiting_for_the_disk_does_not_count(machine: Machine) -> None:
    machine.passes(3.0, ready=True)
    assert not machine.watch.overdue


def test_never_to_run_is_the_machines_fault(machine: Machine) -> None:
    machine.passes(400.0, queued_s=400.0)
    assert not machine.watch.overdue
    assert machine.watch.starved


def test_where_waiting_is_not_counted_the_state_tells(machine: Machine) -> None:
    for ready in (True, False):
        machine.now += 3.0
        machine.usage = Usage(0.1, ready)
        machine.watch.look()
        assert machine.watch.overdue is not ready


def test_the_next_question_has_its_own_deadline_within_the_total(machine: Machine) -> None:
    for _ in range(3):
        machine.passes(1.5, cpu_s=1.5)
        assert not machine.watch.overdue
        machine.watch.answered()
        machine.passes(0.0)
    machine.passes(1.5, cpu_s=1.5)
    assert machine.watch.overdue


def test_a_busy_host_makes_no_answer_late(machine: Machine) -> None:
    """Many short questions, each of which the host takes long to look at."""
    for _ in range(30):
        machine.watch.answered()
        machine.passes(3.0, cpu_s=0.01, queued_s=2.99)
        assert not machine.watch.overdue


def test_where_only_wall_time_is_known_there_is_more_patience(machine: Machine) -> None:
    machine.usage = None
    machine.passes(5.0)
    assert not machine.watch.overdue
    machine.passes(1.5)
    assert machine.watch.overdue


def test_this_process_is_computing_and_no_process_tells_nothing() -> None:
    mine = clock.usage(os.getpid())
    assert mine is None or mine.cpu_s > 0
    assert mine is None or all(seconds > 0 for seconds in mine.awake_s.values())
    assert clock.usage(2**22 + 1) is None
