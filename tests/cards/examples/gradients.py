"""Numbers for the cards of the family gradients."""

from __future__ import annotations

import numpy as np
import pytest

from . import Value, error_of, example, exp_shares


@example
def graph_detached() -> dict[str, Value]:
    torch = pytest.importorskip("torch")
    x = torch.tensor(3.0, requires_grad=True)
    (x * x).backward()
    y = torch.tensor(3.0, requires_grad=True)
    torch.tensor(y.item() * y.item(), requires_grad=True).backward()
    return {"x": 3, "d(x * x)/dx, right": x.grad.item(), "through x.item()": y.grad}


@example
def gradient_wrong() -> dict[str, Value]:
    weights = exp_shares([0, 1])
    arriving = np.array([1, 0])
    return {
        "weights": weights,
        "gradient arriving": arriving,
        "right": weights * (arriving - (arriving * weights).sum()),
        "this bug": weights * (1 - weights) * arriving,
    }


@example
def gradient_nan() -> dict[str, Value]:
    torch = pytest.importorskip("torch")
    scores = torch.zeros(1, 2, requires_grad=True)
    weights = torch.softmax(scores + torch.tensor([-torch.inf, -torch.inf]), dim=-1)
    cleaned = torch.where(torch.isnan(weights), 0.0, weights)
    cleaned.sum().backward()
    return {
        "softmax of [-inf, -inf]": weights.detach().numpy(),
        "NaN replaced by 0": cleaned.detach().numpy(),
        "gradient of the scores": scores.grad.numpy(),
    }


@example
def inplace_breaks_graph() -> dict[str, Value]:
    torch = pytest.importorskip("torch")

    def masked_in_place() -> None:
        weights = torch.softmax(torch.zeros(1, 2, requires_grad=True), dim=-1)
        weights *= torch.tensor([1.0, 0.0])
        weights.sum().backward()

    def masked_in_a_new_tensor() -> None:
        weights = torch.softmax(torch.zeros(1, 2, requires_grad=True), dim=-1)
        (weights * torch.tensor([1.0, 0.0])).sum().backward()

    return {
        "weights * mask, then backward": error_of(masked_in_a_new_tensor),
        "weights *= mask, then backward": error_of(masked_in_place),
    }


@example
def cache_in_graph() -> dict[str, Value]:
    torch = pytest.importorskip("torch")
    cache = torch.zeros(2)
    weight = torch.ones(2, requires_grad=True)

    def step() -> None:
        cache[:1] = (weight * weight)[:1]
        cache.sum().backward()

    return {"first backward()": error_of(step), "second backward()": error_of(step)}
