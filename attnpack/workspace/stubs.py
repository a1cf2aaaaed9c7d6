"""What a workspace is laid out with: the texts that are given out, and how one is known again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from attnpack.pack import Exercise, Pack
    from attnpack.terms import Backend

TESTS: Final = "test_exercises.py"
"""what pytest collects: it has a function for every exercise"""

_TESTS_HEAD: Final = '''\
"""`pytest` checks your exercises: one test for each of them and each question about it.

The same checks as `attnpack check`, with your code in the same separate process. This is the
file that editors and CI look for; there is nothing in it to change. Should pytest not find
`attnpack_stage`, it runs under another Python: type `python -m pytest` where attnpack is installed.
"""
'''


def collected_by_pytest(exercises: Sequence[Exercise]) -> str:
    """A test function for each exercise; the plugin makes one test of it for each stage."""
    functions = [
        f"def test_{exercise.name}(attnpack_stage):\n    attnpack_stage.must_pass()\n"
        for exercise in exercises
    ]
    return "\n\n".join([_TESTS_HEAD, *functions])


def stub_text(pack: Pack, backend: Backend, file: str) -> str:
    """A stub as the pack has it."""
    return pack.stub_path(backend.value, file).read_text(encoding="utf-8")


def digest(text: str) -> str:
    """The hash by which an unchanged stub is known, whatever its line ends."""
    import hashlib

    return hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest()


def text_of(path: Path) -> str:
    """A learner's file, whatever bytes are in it."""
    return path.read_text(encoding="utf-8", errors="replace")
