"""A module that is imported at its first use.

Bug cards live beside their numpy models, and `attnpack explain` must not pay for numpy.
"""

from __future__ import annotations

import importlib
from typing import Any


class LazyModule:
    """In place of a module: imports it when an attribute is first asked for."""

    def __init__(self, name: str, package: str | None = None) -> None:
        """A name with dots in front is found from `package`."""
        self._name, self._package = name, package

    def __getattr__(self, attribute: str) -> Any:
        value = getattr(importlib.import_module(self._name, self._package), attribute)
        setattr(self, attribute, value)
        return value
