"""A worker process: reads one job a line, judges it, answers in one line. JSON both ways.

Started by `attnpack.grade.schedule` as `python -m attnpack.grade.worker SETTINGS`.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from typing import Any, cast

from attnpack.grade import worker_limits
from attnpack.grade.jobs import InfrastructureFaultError, Job, Settings
from attnpack.grade.judging import Judge, judge_job


def open_judge(settings: Settings) -> Judge:
    """The judge that the settings' factory makes."""
    module, _, name = settings.factory.partition(":")
    return cast("Judge", getattr(importlib.import_module(module), name)(settings))


def answer(judge: Judge, line: str) -> dict[str, Any]:
    """The answer to one job, or the fault that kept it from being judged."""
    try:
        return judge_job(judge, Job.from_json(json.loads(line))).to_json()
    except InfrastructureFaultError as fault:
        return {"fault": str(fault)}
    except Exception as error:  # noqa: BLE001
        return {"fault": f"{type(error).__name__}: {error}"}


def main(settings: Settings) -> None:
    """Judge what comes on standard input until it ends."""
    replies = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)  # whatever else prints must not reach the replies
    worker_limits.die_with_parent()
    judge = open_judge(settings)
    worker_limits.limit_memory()
    try:
        for line in sys.stdin:
            replies.write(json.dumps(answer(judge, line)) + "\n")
            replies.flush()
    finally:
        judge.close()


if __name__ == "__main__":
    main(Settings.from_json(sys.argv[1]))
