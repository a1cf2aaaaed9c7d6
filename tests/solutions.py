"""The solutions of each backend, loaded as a learner's folder is: by file name."""

from __future__ import annotations

import importlib
import sys
from types import SimpleNamespace

from attnpack import pack
from attnpack.terms import Backend
from checks.exercises import EXERCISES


def solutions(backend: str) -> SimpleNamespace:
    """The functions and classes of one backend, under their own names."""
    exercises = [exercise for exercise in EXERCISES if Backend(backend) in exercise.backends]
    folder = str(pack.ROOT / "reference" / backend)
    stems = [exercise.file.removesuffix(".py") for exercise in exercises]
    for stem in stems:
        sys.modules.pop(stem, None)
    sys.path.insert(0, folder)
    try:
        modules = [importlib.import_module(stem) for stem in stems]
    finally:
        sys.path.remove(folder)
        for stem in stems:
            sys.modules.pop(stem, None)
    named = zip(exercises, modules, strict=True)
    return SimpleNamespace(**{e.name: getattr(module, e.name) for e, module in named})
