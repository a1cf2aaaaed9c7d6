"""Puts the pack inside the package when a wheel is built.

An editable install needs none of it: `attnpack/pack/__init__.py` finds the folders of the
checkout, and copies would go stale.
"""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACK = ("exercises", "reference", "checks", "SHAPES.md")


class PackHook(BuildHookInterface):  # type: ignore[type-arg]
    """Maps each part of the pack to its place under `attnpack/pack`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Before the wheel is written; `version` is "standard" or "editable"."""
        if version == "standard":
            build_data["force_include"].update({part: f"attnpack/pack/{part}" for part in PACK})
