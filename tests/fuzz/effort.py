"""How long the fuzz tests go on: the same examples each time, or fresh and many by hand.

Without `--exhaustive`, a quarter of them. `ATTNPACK_FUZZ=100 pytest tests/fuzz` draws a hundred
times as many as CI does, new ones at each run.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

TIMES = int(os.environ.get("ATTNPACK_FUZZ", "1"))
exhaustive = TIMES > 1
"""set by conftest.py, before the tests are imported"""


def examples(count: int) -> settings:
    """Settings for `count` examples in CI."""
    return settings(
        max_examples=count * TIMES if exhaustive else count // 4,
        derandomize=TIMES == 1,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )
