"""The failing call as a script that needs no attnpack."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from commands import TORCH, solve

from attnpack.calls import Build, Call, Fill, Forward
from attnpack.checking import script
from attnpack.pack.kinds import Comparison

if TYPE_CHECKING:
    from pathlib import Path

    from attnpack.calls import Question

RNG = np.random.default_rng(0)
X = np.full((5, 6), 0.625) * np.arange(1, 6)[:, None]
W = {name: np.eye(6) for name in ("W_q", "W_k", "W_v", "W_o")}


def run(
    root: Path, name: str, module: str, questions: tuple[Question, ...], backend: str
) -> tuple[str, str]:
    solve(root, backend=backend)
    source = (root / f"{module}.py").read_text(encoding="utf-8")
    text = script.text(name, source, module, questions, backend)
    path = root / "repro.py"
    path.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(path)], capture_output=True, text=True, check=False, cwd=root
    )
    assert done.returncode == 0, done.stderr
    return text, done.stdout


@pytest.mark.parametrize("backend", ["numpy", TORCH, "value"])
def test_a_call_is_repeated_with_the_learners_own_names(tmp_path: Path, backend: str) -> None:
    Q = np.array([[1.0, 2.0, 3.0, 1.0], [0.0, 1.0, 0.0, 1.0]])
    call = Call("k", "attention_scores", (Q, Q, 4))
    text, said = run(tmp_path, "attention_scores", "attention_scores", (call,), backend)
    assert "7.5" in said
    assert "print(attention_scores(Q, K, d_k))" in text
    assert len(text.splitlines()) <= 12


@pytest.mark.parametrize("backend", ["numpy", TORCH, "value"])
def test_a_built_layer_is_filled_and_called(tmp_path: Path, backend: str) -> None:
    precision = "float32" if backend == "torch" else "float64"
    layer = (
        Build("b", "a", "SelfAttention", (6,)),
        Fill("f", "a", W),
        Forward("x", "a", (X,), {"causal": True}, precision=precision),
    )
    text, said = run(tmp_path, "SelfAttention", "self_attention", layer, backend)
    assert "layer = SelfAttention(6)" in text
    assert "layer.forward(x, causal=True)" in text
    assert "0.625" in said, "the first token sees itself alone"


@pytest.mark.parametrize("backend", ["numpy", TORCH, "value"])
def test_masks_keep_their_type_and_infinities(tmp_path: Path, backend: str) -> None:
    Q = RNG.normal(size=(2, 4))
    for mask in (np.array([[True, False], [True, True]]), np.array([[0.0, -np.inf], [0.0, 0.0]])):
        call = Call("k", "scaled_dot_product_attention", (Q, Q, Q, mask))
        _, said = run(
            tmp_path,
            "scaled_dot_product_attention",
            "scaled_dot_product_attention",
            (call,),
            backend,
        )
        assert "nan" not in said


def test_a_file_that_does_not_parse_still_gets_a_script() -> None:
    call = Call("k", "softmax", (np.zeros((1, 2)),))
    text = script.text("softmax", "def softmax(:", "softmax", (call,), "numpy")
    assert "print(softmax(argument_1))" in text


def test_numbers_are_written_in_full() -> None:
    call = Call("k", "softmax", (np.array([[1 / 3, 1e-300]]),))
    text = script.text("softmax", "def softmax(scores): ...", "softmax", (call,), "numpy")
    assert "scores = np.array([[0.3333333333333333, 1e-300]])" in text


def test_what_was_expected_stands_at_the_end() -> None:
    right = np.array([[0.25, 0.75]])
    compared = Comparison("softmax", first_index=(0, 1), expected=0.75, got=0.5, right=right)
    lines = script.expected("the weights are off", compared)
    assert lines[1:] == [
        "the weights are off",
        "expected, shape (1, 2):",
        "[[0.25 0.75]]",
        "at [0, 1]: 0.75 expected, 0.5 came",
    ]
    call = Call("k", "softmax", (np.zeros((1, 2)),))
    text = script.text("softmax", "", "softmax", (call,), "numpy", lines)
    assert text.endswith("# [[0.25 0.75]]\n# at [0, 1]: 0.75 expected, 0.5 came\n")
    compile(text, "repro.py", "exec")


def test_of_many_numbers_only_the_first_wrong_one_is_shown() -> None:
    compared = Comparison("c", first_index=(0,), expected=1.0, got=2.0, right=np.zeros(1000))
    assert script.expected("off", compared) == ["", "off", "at [0]: 1 expected, 2 came"]
