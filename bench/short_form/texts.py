"""Texts that the short form was not built from: cases, mutants of right variants, branch bugs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from attnpack import pack
from attnpack.guest.sources import file_name
from attnpack.terms import Backend
from bench.mutants.mutate import mutants
from bench.short_form.branches import branches
from bench.short_form.held import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

TESTS = Path(__file__).parents[2] / "tests"
sys.path[:0] = [str(TESTS / "right"), str(TESTS / "unseen")]
ATTENTION = "attention.py"


def of_cases(backend: Backend) -> Iterator[Text]:
    """Every labelled case, each of its exercises."""
    labels = json.loads((TESTS / "cases" / "labels.json").read_text(encoding="utf-8"))
    for name, label in labels.items():
        if label["backend"] != backend or not _harmless(label):
            continue
        source = (TESTS / "cases" / name).read_text(encoding="utf-8")
        for exercise in pack.load().exercises:
            if exercise.name in source:
                entry = {ATTENTION: source}
                yield Text("labelled", name, backend, exercise.name, ATTENTION, entry)


def _harmless(label: dict[str, object]) -> bool:
    """Safe to run in this process."""
    return not any(bug in json.dumps(label) for bug in ("never-returns", "ends-process"))


def of_unseen(backend: Backend) -> Iterator[Text]:
    """Every unseen case and mistake, its faulty exercise."""
    from fragments import Kind, unseen

    for kind in Kind:
        for case in unseen(backend.value, kind):
            if case.harmless:
                sources = {ATTENTION: case.source}
                yield Text("unseen", case.name, backend, case.exercise, ATTENTION, sources)


def of_mutants(backend: Backend, seed: int, of_each: int) -> Iterator[Text]:
    """Of every right variant so many changes; what it takes from others is the reference's."""
    from variants import exercises_in, variants

    random = Random(seed)
    for exercise in exercises_in(backend.value):
        for variant in variants(backend.value, exercise):
            changed = list(mutants(variant.code))
            for mutant in random.sample(changed, min(of_each, len(changed))):
                name = f"{variant.name}: {mutant.change}"
                yield alone("mutant", name, backend, exercise, mutant.source)


def of_branches() -> Iterator[Text]:
    """Every branch bug (numpy)."""
    for branch in branches():
        yield alone("branch", branch.name, Backend.NUMPY, branch.exercise, branch.source)


def alone(kind: str, name: str, backend: Backend, exercise: str, source: str) -> Text:
    """A submission that is the reference but for one file."""
    entry = file_name(exercise)
    written = [e for e in pack.load().exercises if backend in e.backends]
    sources = {e.file: _reference(backend, e.file) for e in written}
    return Text(kind, name, backend, exercise, entry, {**sources, entry: source})


def _reference(backend: Backend, file: str) -> str:
    return pack.load().reference_path(backend.value, file).read_text(encoding="utf-8")
