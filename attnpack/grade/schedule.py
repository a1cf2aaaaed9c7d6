"""Jobs on worker processes of this machine: retries, a backstop, a clean stop."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from attnpack.grade.jobs import InfrastructureFaultError, Job, Judged, Settings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ATTEMPTS = 3
"""how often a job is tried before it needs regrading"""
BACKSTOP_S = 3600.0
"""wall-clock seconds after which a worker is taken for stuck, however busy the machine"""
_GRACE_S = 3.0


@dataclass(frozen=True)
class Finished:
    """A job that was judged, or that failed for no fault of the submission."""

    job: Job
    judged: Judged | None
    fault: str = ""
    attempts: int = 1


def judged_of(line: str) -> Judged:
    """What a worker answered; raises InfrastructureFaultError where that is no judgement."""
    if not line:
        raise InfrastructureFaultError("the worker process died")
    try:
        reply = json.loads(line)
        if "fault" not in reply:
            return Judged.from_json(reply)
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        said = f"the worker's answer cannot be read ({type(error).__name__})"
        raise InfrastructureFaultError(said) from error
    raise InfrastructureFaultError(str(reply["fault"]))


class Workers:
    """So many worker processes, each with a judge of its own."""

    def __init__(self, count: int, settings: Settings, backstop_s: float = BACKSTOP_S) -> None:
        self._todo: queue.Queue[Job | None] = queue.Queue()
        self._done: queue.Queue[Finished] = queue.Queue()
        self._seats = [_Seat(settings, backstop_s) for _ in range(count)]
        self._threads = [
            threading.Thread(target=self._serve, args=(seat,), daemon=True) for seat in self._seats
        ]

    def run(self, jobs: Iterable[Job]) -> Iterator[Finished]:
        """Judge every job; results come in the order they are ready.

        Jobs are drawn only as fast as they are judged. Ending the iteration early (Ctrl-C)
        stops the workers; what was not yet yielded is not finished.
        """
        for thread in self._threads:
            thread.start()
        waiting = iter(jobs)
        pending = 0
        try:
            while True:
                for job in waiting:
                    self._todo.put(job)
                    pending += 1
                    if pending >= 2 * len(self._seats):
                        break
                if not pending:
                    return
                yield self._done.get()
                pending -= 1
        finally:
            self._stop()

    def _serve(self, seat: _Seat) -> None:
        while (job := self._todo.get()) is not None:
            finished = seat.judge(job)
            if finished:
                self._done.put(finished)

    def _stop(self) -> None:
        for seat in self._seats:
            seat.let_go()
        for seat in self._seats:
            seat.end()
        for _ in self._threads:
            self._todo.put(None)
        for thread in self._threads:
            thread.join()


class _Seat:
    """The place of one worker process; a dead one is replaced."""

    def __init__(self, settings: Settings, backstop_s: float) -> None:
        self._command = [sys.executable, "-m", "attnpack.grade.worker", settings.to_json()]
        self._backstop_s = backstop_s
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()
        self._stopped = False

    def judge(self, job: Job) -> Finished | None:
        """Try a job until it is judged or has failed too often; None where stopped."""
        fault = ""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                judged = judged_of(self._ask(json.dumps(job.to_json())))
            except InfrastructureFaultError as error:
                fault = str(error)
            else:
                return None if self._stopped else Finished(job, judged, attempts=attempt)
            if self._stopped:
                return None
            self.end()
        return Finished(job, None, fault, ATTEMPTS)

    def let_go(self) -> None:
        """Take no further job; the worker ends after the one it is at."""
        with self._lock:
            self._stopped = True
            if self._process and self._process.stdin:
                with suppress(OSError):
                    self._process.stdin.close()

    def end(self) -> None:
        """End the worker, by force where it does not go."""
        with self._lock:
            process, self._process = self._process, None
        if process is None or process.stdin is None or process.stdout is None:
            return
        with suppress(OSError):
            process.stdin.close()
        try:
            process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()

    def _ask(self, job: str) -> str:
        """The worker's answer; empty where it died, or was stuck and ended.

        Raises InfrastructureFaultError where none can be started.
        """
        try:
            process = self._running()
        except OSError as error:
            raise InfrastructureFaultError(f"no worker process: {error}") from error
        if process is None or process.stdin is None or process.stdout is None:
            return ""
        backstop = threading.Timer(self._backstop_s, process.kill)
        backstop.daemon = True
        backstop.start()
        try:
            process.stdin.write(job + "\n")
            process.stdin.flush()
            return process.stdout.readline()
        except (OSError, ValueError):  # its pipe broke, or was closed under us
            return ""
        finally:
            backstop.cancel()

    def _running(self) -> subprocess.Popen[str] | None:
        with self._lock:
            if self._stopped:
                return None
            if self._process is None:
                self._process = subprocess.Popen(
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    encoding="ascii",
                    start_new_session=True,  # Ctrl-C is for the parent, which ends them in order
                )
            return self._process
