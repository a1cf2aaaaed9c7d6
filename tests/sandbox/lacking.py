"""Guests on a machine that lacks a mechanism of confinement."""

from __future__ import annotations

from pathlib import Path

from attnpack.host import launch, zygote

LACKING = {
    "namespaces": "namespaces.enter = lambda: ()",
    "Landlock": "landlock.ruleset = lambda *paths: None; landlock.abi = lambda: None",
    "seccomp": "seccomp.install = lambda: False",
}


def without(*mechanisms: str) -> None:
    """From now on the warm processes that this process starts lack them."""
    bootstrap = Path(launch.BOOTSTRAP).read_text("utf-8")
    marker = "    start.main("
    assert bootstrap.count(marker) == 1
    lines = ["from attnpack.guest.confine import landlock, namespaces, seccomp"]
    lines += [LACKING[name] for name in mechanisms]
    patch = "".join(f"    {line}\n" for line in lines)
    patched = bootstrap.replace(marker, patch + marker)
    patched = patched.replace("__file__", repr(launch.BOOTSTRAP))
    ordinary = launch.command

    def command(*arguments):
        words = ordinary(*arguments)
        at = words.index(launch.BOOTSTRAP)
        return [*words[:at], "-c", patched, *words[at + 1 :]]

    zygote.command = command
