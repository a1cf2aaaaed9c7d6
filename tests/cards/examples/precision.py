"""Numbers for the cards of the family precision and state."""

from __future__ import annotations

import numpy as np
import pytest

from . import Value, error_of, example, exp_shares


@example
def precision_lost() -> dict[str, Value]:
    scores = np.array([[2048, 2049]])
    half = scores.astype(np.float16)
    return {
        "scores": scores,
        "in float16": half,
        "right": exp_shares(scores),
        "this bug": exp_shares(half),
    }


@example
def integer_scores_buffer() -> dict[str, Value]:
    scores = np.array([[0.2, 0.9]])
    buffer = np.zeros((1, 2), dtype=int)
    buffer[:] = scores
    return {
        "scores": scores,
        "in the buffer": buffer,
        "right": exp_shares(scores),
        "this bug": exp_shares(buffer),
    }


@example
def half_fill_overflow() -> dict[str, Value]:
    with np.errstate(over="ignore"):
        fill = np.array(-1e9).astype(np.float16)
    return {
        "-1e9 in float16": fill,
        "row all masked": exp_shares([[fill, fill]]),
        "fill of -6e4": exp_shares([[-6e4, -6e4]]),
    }


@example
def half_min_plus_score() -> dict[str, Value]:
    scores = np.array([[-20, 3]], dtype=np.float16)
    with np.errstate(over="ignore"):
        total = scores + np.finfo(np.float16).min
    return {
        "float16 minimum": np.finfo(np.float16).min,
        "scores": scores,
        "minimum + scores": total,
    }


@example
def mask_dtype_promotes() -> dict[str, Value]:
    scores, mask = np.zeros((2, 2), dtype=np.float16), np.zeros((2, 2), dtype=np.float32)
    return {
        "scores": str(scores.dtype),
        "mask": str(mask.dtype),
        "scores + mask": str((scores + mask).dtype),
    }


@example
def input_mutated() -> dict[str, Value]:
    scores = np.array([[0, 2]])
    before = scores.copy()
    scores -= scores.max(axis=-1, keepdims=True)
    return {"scores before": before, "scores after": scores}


@example
def state_between_calls() -> dict[str, Value]:
    scores = np.array([[0, 2]])
    kept = np.zeros((1, 2))
    seen: dict[str, Value] = {"scores": scores, "right": exp_shares(scores)}
    kept += scores
    seen["call 1"] = exp_shares(kept)
    kept += scores
    seen["call 2"] = exp_shares(kept)
    return seen


@example
def dropout_in_eval() -> dict[str, Value]:
    weights = np.array([[0.5, 0.5]])
    keep = 0.5
    return {
        "right": weights,
        "call 1": weights * [1, 0] / keep,
        "call 2": weights * [0, 1] / keep,
    }


@example
def dropout_before_softmax() -> dict[str, Value]:
    scores = np.array([[0, -np.inf]])
    with np.errstate(invalid="ignore"):
        dropped = scores * [2, 0]
    return {
        "masked scores": scores,
        "after dropout": dropped,
        "right": exp_shares(scores),
        "this bug": exp_shares(dropped),
    }


@example
def layer_made_in_forward() -> dict[str, Value]:
    x, rng = np.array([[1, 2]]), np.random.default_rng(0)
    return {
        "x": x,
        "call 1": x @ rng.normal(size=(2, 2)),
        "call 2": x @ rng.normal(size=(2, 2)),
    }


@example
def parameters_unregistered() -> dict[str, Value]:
    torch = pytest.importorskip("torch")
    heads = [torch.nn.Linear(2, 2, bias=False) for _ in range(2)]
    plain, listed = torch.nn.Module(), torch.nn.Module()
    plain.heads = heads
    listed.heads = torch.nn.ModuleList(heads)
    return {
        "layers in the model": len(heads),
        "matrices found, right": len(list(listed.parameters())),
        "matrices found, bug": len(list(plain.parameters())),
    }


@example
def mask_not_a_buffer() -> dict[str, Value]:
    torch = pytest.importorskip("torch")
    layer = torch.nn.Linear(2, 2)
    layer.mask = torch.zeros(2, 2)
    layer.register_buffer("mask_in_buffer", torch.zeros(2, 2))
    layer.double()
    return {
        "after model.double()": str(layer.weight.dtype),
        "a plain mask": str(layer.mask.dtype),
        "a buffer": str(layer.mask_in_buffer.dtype),
    }


@example
def numbers_rounded() -> dict[str, Value]:
    weights = np.full(3, 1 / 3)
    rounded = np.round(weights, 2)
    return {"weights": weights, "rounded": rounded, "its row sum": rounded.sum()}


@example
def parameters_plain() -> dict[str, Value]:
    torch = pytest.importorskip("torch")

    def count(tensor: object) -> str:
        module = torch.nn.Module()
        module.W = tensor
        return f"{len(list(module.parameters()))} parameters"

    return {
        "nn.Parameter(torch.zeros(2))": count(torch.nn.Parameter(torch.zeros(2))),
        "torch.zeros(2, requires_grad=True)": count(torch.zeros(2, requires_grad=True)),
    }


@example
def super_missing() -> dict[str, Value]:
    torch = pytest.importorskip("torch")

    class Begun(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(2, 2)

    class Unbegun(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            self.layer = torch.nn.Linear(2, 2)

    return {
        "with super().__init__()": f"{len(list(Begun().parameters()))} parameters",
        "without it": error_of(Unbegun),
    }
