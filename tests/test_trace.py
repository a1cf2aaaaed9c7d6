"""`attnpack trace`: the learner's lines with shapes and names."""

from pathlib import Path

import pytest

from attnpack import pack, submission
from attnpack.calls import Outcome
from attnpack.checking import one_exercise
from attnpack.report import glyphs, terminal, traced
from attnpack.terms import Backend

CASES = Path(__file__).parent / "cases"


def names(case: str, exercise: str, backend: Backend = Backend.NUMPY) -> dict[int, set[str]]:
    """Line -> the names of what it makes."""
    run = one_exercise.annotate(submission.load(CASES / case), exercise, 1, backend=backend)
    assert run is not None
    assert run.ended.outcome is Outcome.RETURNED
    found: dict[int, set[str]] = {}
    for annotation in run.annotations:
        found.setdefault(annotation.line, set()).add(f"{annotation.shape} {annotation.known}")
    return found


def test_right_lines_are_named_in_symbols() -> None:
    lines = names("r03.py", "scaled_dot_product_attention")
    made = set().union(*lines.values())
    assert "(B, h, T_q, T_k) scores" in made
    assert "(B, h, T_q, T_k) weights" in made
    assert "(B, h, T_q, d_v) attended" in made


def test_a_line_that_departs_has_no_name() -> None:
    lines = names("B01.py", "softmax")
    assert lines[5] == {"(B, h, T_q, T_k) None"}


@pytest.mark.parametrize(
    "exercise", [exercise.name for exercise in pack.load().chapters[0].exercises]
)
def test_every_exercise_can_be_traced_to_its_right_result(exercise: str) -> None:
    assert_right_to_the_end(names("r02.py", exercise))


@pytest.mark.parametrize("exercise", ["layer_norm", "feed_forward"])
def test_every_exercise_of_the_block_can_be_traced_to_its_right_result(exercise: str) -> None:
    assert_right_to_the_end(names("c01.py", exercise))


def assert_right_to_the_end(made: dict[int, set[str]]) -> None:
    last = made[max(made)]
    assert not any(name.endswith(" None") for name in last), last


def test_an_exercise_that_is_not_started_has_no_trace(tmp_path: Path) -> None:
    file = tmp_path / "only.py"
    file.write_text("def softmax(scores):\n    raise NotImplementedError\n", encoding="utf-8")
    run = one_exercise.annotate(submission.load(file), "softmax", 1, backend=Backend.NUMPY)
    assert run is None


def test_the_listing_of_a_notebook_names_cells_as_check_does(tmp_path: Path) -> None:
    import json

    cells = [
        "import numpy as np",
        "def softmax(scores):\n    e = np.exp(scores)\n    return e / e.sum(axis=-2, keepdims=1)",
    ]
    code = [{"cell_type": "code", "source": cell} for cell in cells]
    file = tmp_path / "work.ipynb"
    file.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "cells": code}))
    read = submission.load(file)
    run = one_exercise.annotate(read, "softmax", 1, backend=Backend.NUMPY)
    assert run is not None
    shown = terminal.as_text(traced.Listing(run, read, glyphs.UNICODE), width=80)
    assert "cell 2\n" in shown
    assert "   1 def softmax(scores):" in shown
    assert "❯    3     return e" in shown


def listed(text: str, exercise: str, tmp_path: Path) -> str:
    """What `attnpack trace` prints of a lone file."""
    file = tmp_path / "attention.py"
    file.write_text(f"import numpy as np\n\n{text}", encoding="utf-8")
    given = submission.load(file)
    run = one_exercise.annotate(given, exercise, 3, backend=Backend.NUMPY)
    assert run is not None
    return terminal.as_text(traced.Listing(run, given, glyphs.UNICODE), width=100)


def test_the_marked_expression_is_shown_as_it_was_and_as_it_should_have_been(
    tmp_path: Path,
) -> None:
    text = (
        "def attention_scores(Q, K, d_k):\n    scale = np.sqrt(d_k) + 1\n"
        "    return Q @ np.swapaxes(K, -1, -2) / scale\n"
    )
    shown = listed(text, "attention_scores", tmp_path)
    assert "np.sqrt(d_k) + 1 was 2.73205" in shown
    assert "and the right value, sqrt(d_k), is 1.73205" in shown


def test_an_array_is_shown_below_its_shape(tmp_path: Path) -> None:
    text = (
        "def softmax(scores):\n    e = np.exp(scores - scores.max(axis=-1, keepdims=True))\n"
        "    return e / e.sum(axis=-2, keepdims=True)\n"
    )
    shown = listed(text, "softmax", tmp_path)
    assert "e.sum(axis=-2, keepdims=True) was [[" in shown
    assert "and the right value, sum, is (3, 1)" in shown
