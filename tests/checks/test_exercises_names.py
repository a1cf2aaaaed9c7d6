"""An exercise's name stands in its own module; others ask for a trait, a tag or a field."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from attnpack import pack

ROOT = Path(__file__).parents[2]
NAMES = {exercise.name for exercise in pack.load().exercises}
OF_THE_EXERCISES = "checks/exercises/"
OF_LOOKING = "attnpack/look/"
"""the pictures of one sentence are of the attention pack's last exercise"""

OTHER_MEANINGS = {
    "attnpack/guest/backends/torch_calls.py": "functions of torch",
}
"""where the words `softmax` and `layer_norm` are no exercises"""


def modules():
    for folder in ("checks", "attnpack"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            place = path.relative_to(ROOT).as_posix()
            if not place.startswith((OF_THE_EXERCISES, OF_LOOKING)):
                yield pytest.param(path, id=place)


def names_in(node, names):
    parts = (part for part in ast.walk(node) if isinstance(part, ast.Constant))
    return [part.value for part in parts if isinstance(part.value, str) and part.value in names]


def compared(tree, names=NAMES):
    """Lines that compare a name, match it, or look it up in a set, tuple or dictionary."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare | ast.match_case | ast.Set):
            found = names_in(node.pattern if isinstance(node, ast.match_case) else node, names)
        elif isinstance(node, ast.Dict):
            found = [name for key in node.keys if key is not None for name in names_in(key, names)]
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("frozenset", "set"):
            found = names_in(node, names)
        else:
            continue
        if found:
            yield node.lineno if not isinstance(node, ast.match_case) else node.pattern.lineno


@pytest.mark.parametrize("path", list(modules()))
def test_no_other_module_compares_an_exercises_name(path):
    place = path.relative_to(ROOT).as_posix()
    names = NAMES - {"softmax", "layer_norm"} if place in OTHER_MEANINGS else NAMES
    assert list(compared(ast.parse(path.read_text(encoding="utf-8")), names)) == []


@pytest.mark.parametrize(
    "slip",
    [
        'if exercise == "softmax": ...',
        'if exercise in ("SelfAttention", "MultiHeadAttention"): ...',
        'TABLE = {"causal_mask": 1}',
        'ONLY = frozenset({"apply_attention"})',
        'match name:\n    case "softmax": ...',
    ],
)
def test_a_comparison_would_be_seen(slip):
    assert list(compared(ast.parse(slip)))


def test_an_unknown_name_raises():
    from checks.exercises import exercise

    with pytest.raises(LookupError, match="layer_norm_of_nobody"):
        exercise("layer_norm_of_nobody")
    with pytest.raises(LookupError, match="no stage decoding"):
        exercise("softmax").ask("decoding", None)


BUGS = frozenset(pack.load().bugs())
PLACING = ("locating", "landmarks", "placing", "tracing", "waypoints", "diagnosing", "explaining")
SEARCHING = [
    *(ROOT / "checks" / f"{name}.py" for name in PLACING),
    *sorted((ROOT / "attnpack" / "diagnosis").rglob("*.py")),
]


@pytest.mark.parametrize("path", SEARCHING, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_search_for_a_line_or_a_place_names_no_bug(path):
    constants = [n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Constant)]
    assert [n.value for n in constants if n.value in BUGS] == []
