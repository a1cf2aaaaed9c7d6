"""Numbers for the cards of the family loading."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from . import Value, error_of, example, exp_shares


@example
def raises() -> dict[str, Value]:
    Q, K = np.zeros((2, 3)), np.zeros((4, 3))
    return {
        "Q, shape": Q.shape,
        "K, shape": K.shape,
        "right, shape": (Q @ K.T).shape,
        "Q @ K": error_of(lambda: Q @ K),
    }


@example
def never_returns() -> dict[str, Value]:
    i, rounds = 0, 0
    while i < 3 and rounds < 1000:
        rounds += 1
    return {"right, i after 3 rounds": len(range(3)), f"bug, i after {rounds} rounds": i}


@example
def ends_process() -> dict[str, Value]:
    code = "import sys\nfor i in range(3):\n    if i == 1:\n        sys.exit()\n    print(i)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {
        "asked": list(range(3)),
        "answered": [int(line) for line in done.stdout.split()],
        "exit code": done.returncode,
    }


@example
def uses_built_in_attention() -> dict[str, Value]:
    torch = pytest.importorskip("torch")
    Q, K, V = np.array([[1, 0]]), np.array([[1, 0], [0, 1]]), np.array([[10], [20]])
    by_hand = exp_shares(Q @ K.T / np.sqrt(2)) @ V
    lifted = (torch.tensor(array[None, None], dtype=torch.float64) for array in (Q, K, V))
    library = torch.nn.functional.scaled_dot_product_attention(*lifted)
    return {
        "Q": Q,
        "K": K,
        "V": V,
        "written by hand": by_hand,
        "the library's": library[0, 0].numpy(),
    }


@example
def unrecognised() -> dict[str, Value]:
    scores = np.array([[0, 2]])
    powers = 2.0**scores
    came = powers / powers.sum(axis=-1, keepdims=True)
    return {
        "scores": scores,
        "expected": exp_shares(scores),
        "came": came,
        "difference": np.abs(came - exp_shares(scores)),
    }
