"""The same jobs on a Dask cluster (extra `attnpack[dask]`).

Jobs and answers travel as JSON texts that attnpack itself wrote, so that nothing which
learner code produced is ever unpickled. attnpack must be installed on every worker.
"""

from __future__ import annotations

import importlib
import json
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from attnpack.errors import BadInputError
from attnpack.grade.jobs import InfrastructureFaultError, Job, Judged, Settings
from attnpack.grade.schedule import ATTEMPTS, Finished, judged_of
from attnpack.grade.worker import answer, open_judge

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from attnpack.grade.judging import Judge

_PER_THREAD = 2
_CONNECT_S = "20s"
_local = threading.local()


def judge_text(settings: str, job: str) -> str:
    """What a cluster's worker runs: one job judged, by the judge its thread keeps open."""
    try:
        judge: Judge = _local.judge
    except AttributeError:
        judge = _local.judge = open_judge(Settings.from_json(settings))
    return json.dumps(answer(judge, job))


def run_on_cluster(jobs: Iterable[Job], address: str, settings: Settings) -> Iterator[Finished]:
    """Judge every job on the cluster; results come in the order they are ready.

    A job whose worker died is run again by Dask; one that reports a fault, up to the same
    number of attempts as locally. Raises BadInputError where the scheduler does not answer.
    """
    distributed = _distributed()
    with _client(distributed, address) as client:
        room = max(_PER_THREAD, _PER_THREAD * sum(client.nthreads().values()))
        waiting = iter(jobs)
        running: dict[Any, tuple[Job, int]] = {}

        def submit(job: Job, attempt: int) -> Any:
            text = json.dumps(job.to_json())
            future = client.submit(
                judge_text, settings.to_json(), text, pure=False, retries=ATTEMPTS
            )
            running[future] = (job, attempt)
            return future

        ready = distributed.as_completed(raise_errors=False)
        while True:
            for job in waiting:
                ready.add(submit(job, 1))
                if len(running) >= room:
                    break
            if not running:
                return
            future = next(ready)
            job, attempt = running.pop(future)
            try:
                finished = Finished(job, _judged(future), attempts=attempt)
            except InfrastructureFaultError as fault:
                finished = Finished(job, None, str(fault), attempt)
            future.release()
            if finished.judged is None and attempt < ATTEMPTS:
                ready.add(submit(job, attempt + 1))
            else:
                yield finished


def _judged(future: Any) -> Judged:
    """What came of a job; raises InfrastructureFaultError."""
    if future.status != "finished":
        raise InfrastructureFaultError(f"the cluster lost the job: {future.exception()}")
    return judged_of(future.result())


def _distributed() -> Any:
    try:
        return importlib.import_module("distributed")
    except ImportError as error:
        raise BadInputError(
            "--scheduler needs Dask: pip install 'attnpack[dask]', here and on the workers."
        ) from error


@contextmanager
def _client(distributed: Any, address: str) -> Iterator[Any]:
    try:
        client = distributed.Client(address, timeout=_CONNECT_S)
    except (OSError, TimeoutError, ValueError) as error:
        raise BadInputError(f"No Dask scheduler answers at {address}: {error}") from error
    with client:
        yield client
