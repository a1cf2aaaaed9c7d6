"""Right ways to write each exercise, and submissions made of them.

`BACKEND/EXERCISE.md` holds variants under headings. A list item `- NAME: `a`, `b`` gives one
variant per alternative for `<NAME>` in the code; `- notes: ID` names what is noted of it and
`- may: ID` what may be.
Later variants import earlier exercises as a learner's folder does; `submissions` puts one
variant of each exercise together, and enough of them that every variant occurs.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from attnpack.guest.sources import file_name, module_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from random import Random

TEXTS = Path(__file__).parent / "texts"
BACKENDS = ("numpy", "torch", "value")
EXERCISES = (
    "softmax",
    "attention_scores",
    "causal_mask",
    "apply_attention",
    "scaled_dot_product_attention",
    "SelfAttention",
    "MultiHeadAttention",
    "layer_norm",
    "feed_forward",
)
IN_HALF_PRECISION = frozenset(("half-fill-overflow", "half-min-plus-score", "mask-dtype-promotes"))
"""notes that a fill fit for single and double precision may earn"""
LONE_FILE = "attention.py"

_SECTION = re.compile(r"^## (.+)\n((?:- .+\n)*)```python\n((?:.*\n)*?)```$", re.MULTILINE)
_ITEM = re.compile(r"^- (\w+): (.+)$", re.MULTILINE)
_SIBLING = re.compile(r"^from (\w+) import (\w+)\n", re.MULTILINE)


@dataclass(frozen=True)
class Variant:
    """One right way to write one exercise."""

    backend: str
    exercise: str
    name: str
    code: str
    notes: frozenset[str]
    """what must be noted of it"""
    may: frozenset[str]
    """what may be noted of it"""

    @property
    def siblings(self) -> list[str]:
        """The earlier exercises it imports."""
        return [name for module, name in _SIBLING.findall(self.code) if _is_sibling(module, name)]

    @property
    def own_names(self) -> set[str]:
        """What it binds at the top of its file, beside imports."""
        bound: set[str] = set()
        for statement in ast.parse(self.code).body:
            if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
                bound.add(statement.name)
            elif isinstance(statement, ast.Assign):
                names = (n for target in statement.targets for n in ast.walk(target))
                bound |= {name.id for name in names if isinstance(name, ast.Name)}
        return bound


@dataclass(frozen=True)
class Combined:
    """One variant of each exercise, as one submission."""

    variants: tuple[Variant, ...]
    as_folder: bool = False

    @property
    def exercises(self) -> list[str]:
        """Those that it holds, in order."""
        return [variant.exercise for variant in self.variants]

    @cached_property
    def is_lone_file(self) -> bool:
        """Whether all of it goes into one file, which it cannot where two variants share a name."""
        if self.as_folder:
            return False
        names = [name for variant in self.variants for name in variant.own_names]
        return len(names) == len(set(names))

    @cached_property
    def sources(self) -> dict[str, str]:
        """File name -> text."""
        if self.is_lone_file:
            return {LONE_FILE: "\n\n".join(_without_siblings(v.code) for v in self.variants)}
        return {file_name(v.exercise): v.code for v in self.variants}

    def entry(self, exercise: str) -> str:
        """The file that defines an exercise."""
        return LONE_FILE if self.is_lone_file else file_name(exercise)

    def allowed_notes(self, exercise: str) -> frozenset[str]:
        """What may be noted of an exercise: also of what it takes from earlier ones."""
        variant = self.variant(exercise)
        taken = (self.allowed_notes(name) for name in variant.siblings)
        return variant.notes.union(variant.may, IN_HALF_PRECISION, *taken)

    def variant(self, exercise: str) -> Variant:
        """The variant of one exercise."""
        return next(v for v in self.variants if v.exercise == exercise)


def _text(backend: str, exercise: str) -> Path:
    return TEXTS / backend / f"{module_name(exercise)}.md"


def exercises_in(backend: str) -> list[str]:
    """Those that are written in a backend, in order."""
    return [exercise for exercise in EXERCISES if _text(backend, exercise).exists()]


def variants(backend: str, exercise: str) -> list[Variant]:
    """All variants of one exercise in one backend."""
    text = _text(backend, exercise).read_text(encoding="utf-8")
    return [
        variant
        for title, items, code in _SECTION.findall(text)
        for variant in _expanded(backend, exercise, title, items, code)
    ]


def _expanded(backend: str, exercise: str, title: str, items: str, code: str) -> Iterator[Variant]:
    listed = dict(_ITEM.findall(items))
    notes, may = (frozenset(listed.pop(i, "").split(", ")) - {""} for i in ("notes", "may"))
    choices = {name: re.findall(r"`([^`]+)`", text) for name, text in listed.items()}
    for number in range(max(map(len, choices.values()), default=1)):
        chosen = {name: ways[number % len(ways)] for name, ways in choices.items()}
        label = "; ".join([title, *(f"{name} = {way}" for name, way in chosen.items())])
        yield Variant(backend, exercise, label, _filled_in(code, chosen), notes, may)


def _filled_in(code: str, chosen: Mapping[str, str]) -> str:
    for name, way in chosen.items():
        code = code.replace(f"<{name}>", way)
    return code


def _is_sibling(module: str, name: str) -> bool:
    return name in EXERCISES and module == module_name(name)


def _without_siblings(code: str) -> str:
    return _SIBLING.sub(lambda found: "" if _is_sibling(*found.groups()) else found[0], code)


def each_once(
    combined: Sequence[Combined], exercises: Sequence[str] = EXERCISES
) -> list[tuple[Combined, str]]:
    """Submissions with the exercise to look at, so that each variant is looked at once."""
    met: set[Variant] = set()
    pairs = []
    for one in combined:
        for exercise in (name for name in exercises if name in one.exercises):
            variant = one.variant(exercise)
            if variant not in met:
                met.add(variant)
                pairs.append((one, exercise))
    return pairs


def submissions(backend: str, random: Random) -> list[Combined]:
    """Shuffled combinations in which every variant of every exercise occurs."""
    columns: list[Sequence[Variant]] = []
    for exercise in exercises_in(backend):
        column = variants(backend, exercise)
        random.shuffle(column)
        columns.append(column)
    count = max(map(len, columns))
    return [
        Combined(tuple(column[row % len(column)] for column in columns), as_folder=row % 3 == 1)
        for row in range(count)
    ]
