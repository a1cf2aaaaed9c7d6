"""Which way of starting guests this platform has."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from attnpack.host.launch import Launcher
    from attnpack.terms import Backend


def launcher_for(backend: Backend | str, policy: str | None = None) -> Launcher:
    """The fastest way of starting guests that this platform has."""
    if sys.platform == "linux":
        from attnpack.host.zygote import ZygoteLauncher

        return ZygoteLauncher(backend, policy)
    from attnpack.host.spawn import SpawnLauncher

    return SpawnLauncher(backend)
