"""A worker process: reads one job a line, judges it, answers in one line. JSON both ways.

Started by `attnpack.grade.schedule` as `python -m attnpack.grade.worker MODULE:FACTORY`.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from typing import Any, cast

from attnpack.grade.judging import InfrastructureFaultError, Job, Judge, judge_job


def open_judge(factory: str) -> Judge:
    """The judge that `MODULE:FACTORY` makes."""
    module, _, name = factory.partition(":")
    return cast("Judge", getattr(importlib.import_module(module), name)())


def answer(judge: Judge, line: str) -> dict[str, Any]:
    """The answer to one job, or the fault that kept it from being judged."""
    try:
        return judge_job(judge, Job.from_json(json.loads(line))).to_json()
    except InfrastructureFaultError as fault:
        return {"fault": str(fault)}
    except Exception as error:  # noqa: BLE001
        return {"fault": f"{type(error).__name__}: {error}"}


def main(factory: str) -> None:
    """Judge what comes on standard input until it ends."""
    replies = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)  # whatever else prints must not reach the replies
    judge = open_judge(factory)
    try:
        for line in sys.stdin:
            replies.write(json.dumps(answer(judge, line)) + "\n")
            replies.flush()
    finally:
        judge.close()


if __name__ == "__main__":
    main(sys.argv[1])
