"""The stubs: complete, callable as the solutions are, and giving nothing away."""

from __future__ import annotations

import ast

import pytest

from attnpack import pack
from attnpack.pack.texts import Kind
from attnpack.terms import Backend
from checks.exercises import EXERCISES

IN_ORDER = [
    "softmax",
    "attention_scores",
    "causal_mask",
    "apply_attention",
    "scaled_dot_product_attention",
    "SelfAttention",
    "MultiHeadAttention",
    "layer_norm",
    "feed_forward",
    "transformer_block",
    "tiny_gpt",
]

METHODS = ("__init__", "forward")

every_stub = pytest.mark.parametrize(
    ("backend", "exercise"),
    [(backend, e) for backend in Backend for e in EXERCISES if backend in e.backends],
    ids=lambda p: p.value if isinstance(p, Backend) else p.name,
)


def definition(path, name):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return next(n for n in tree.body if getattr(n, "name", None) == name)


def signatures(node):
    functions = [n for n in ast.walk(node) if isinstance(n, ast.FunctionDef)]
    return {f.name: ast.unparse(f.args) for f in functions if f.name in (node.name, *METHODS)}


def code_lines(path):
    """What is said inside functions, without docstrings, line by line."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)]
    statements = [s for f in functions for s in f.body]
    spoken = [s for s in statements if not isinstance(s, ast.Expr)]
    return {ast.unparse(s) for s in spoken}


def test_the_exercises_come_in_the_order_of_the_contract():
    assert [exercise.name for exercise in EXERCISES] == IN_ORDER[: len(EXERCISES)]


def test_an_exercise_needs_only_earlier_ones():
    for position, exercise in enumerate(EXERCISES):
        assert set(exercise.needs) <= set(IN_ORDER[:position])


def test_stages_come_in_the_order_they_run():
    order = list(pack.load().stages)
    for exercise in EXERCISES:
        assert list(exercise.stages) == sorted(exercise.stages, key=order.index)


@every_stub
def test_a_stub_is_called_as_its_solution_is(backend, exercise):
    stub = definition(pack.load().stub_path(backend, exercise.file), exercise.name)
    solution = definition(pack.load().reference_path(backend, exercise.file), exercise.name)
    assert signatures(stub) == signatures(solution)
    assert isinstance(stub, ast.ClassDef) == (exercise.kind is Kind.CLASS)


@every_stub
def test_a_stub_shows_contract_equation_example_and_todo(backend, exercise):
    text = pack.load().stub_path(backend, exercise.file).read_text(encoding="utf-8")
    docstring = ast.get_docstring(ast.parse(text)) or ""
    assert f"Exercise {IN_ORDER.index(exercise.name) + 1}: " in docstring
    for part in ("returns ", "For example", "Checked", "="):
        assert part in docstring
    assert "# TODO" in text
    assert f'NotImplementedError("TODO: {exercise.name}' in text


@every_stub
def test_a_stub_gives_nothing_of_the_solution_away(backend, exercise):
    stub = code_lines(pack.load().stub_path(backend, exercise.file))
    solution = code_lines(pack.load().reference_path(backend, exercise.file))
    assert stub & solution == set()
    assert len(stub) <= len(METHODS)


@every_stub
def test_an_untouched_stub_fits_the_terminal(backend, exercise):
    lines = pack.load().stub_path(backend, exercise.file).read_text(encoding="utf-8").splitlines()
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
def test_a_hint_is_never_the_line_that_solves_the_exercise(exercise):
    for backend in exercise.backends:
        tree = ast.parse(
            pack.load().reference_path(backend, exercise.file).read_text(encoding="utf-8")
        )
        returned = [n.value for n in ast.walk(tree) if isinstance(n, ast.Return) and n.value]
        answers = [value for value in returned if not isinstance(value, ast.Name)]
        for hint in exercise.hints:
            assert not any(ast.unparse(answer) in hint for answer in answers)
