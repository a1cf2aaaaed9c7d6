"""However a torch object keeps its matrices, the guest fills them and finds their gradients."""

from __future__ import annotations

import numpy as np
import pytest

from attnpack.guest import backends
from attnpack.guest.backends import Built, Filled

torch = pytest.importorskip("torch")
nn = torch.nn
matrices = pytest.importorskip("attnpack.guest.backends.torch_matrices")

W = np.array([[1.0, 2.0], [3.0, 4.0]])


class Own(nn.Module):
    """A layer of the learner's own that uses its weight as it stands."""

    def __init__(self, turned):
        super().__init__()
        self.weight = nn.Parameter(torch.eye(2))
        self.turned = turned

    def forward(self, x):
        return x @ (self.weight.T if self.turned else self.weight)


class Holder(nn.Module):
    def __init__(self, **held):
        super().__init__()
        for name, value in held.items():
            setattr(self, name, value)


class PerHead(nn.Module):
    """One layer for each head; `W_q` is put together at each look, and taken apart by a setter."""

    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleList(nn.Linear(2, 1) for _ in range(2))

    def together(self):
        return torch.cat([head.weight.T for head in self.heads], dim=1)

    def taken_apart(self, matrix):
        for head, column in zip(self.heads, matrix.chunk(2, dim=1), strict=True):
            head.weight.data.copy_(column.T)

    W_q = property(together, taken_apart)

    def forward(self, x):
        return torch.cat([head(x) for head in self.heads], dim=1)


class Fused(nn.Module):
    """One layer for all three, with a bias that no name shows."""

    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(2, 6)

    W_q = property(lambda self: self.qkv.weight[:2].T)

    def forward(self, x):
        return self.qkv(x)[..., :2]


def keeping(made):
    """An object that is asked to keep W_q and W_o, each (2, 2)."""
    return Built(made, {"W_q": (2, 2), "W_o": (2, 2)}, {"b_q": "W_q"})


@pytest.fixture
def backend():
    return backends.get("torch")


@pytest.mark.parametrize("make", [lambda: Own(True), lambda: Own(False), lambda: nn.Linear(2, 2)])
def test_a_layer_is_filled_the_way_it_computes(backend, make):
    layer = make()
    holder = Holder(W_q=layer)
    assert backend.fill(keeping(holder), "W_q", W) is Filled.IN_PLACE
    np.testing.assert_array_equal(backend.matrix(keeping(holder), "W_q"), W)
    product = layer(torch.eye(2)) - layer(torch.zeros(2, 2))
    np.testing.assert_allclose(product.detach().numpy(), W, rtol=1e-6)


def test_trying_a_layer_leaves_its_weight_as_it_was():
    layer = Own(turned=False)
    before = layer.weight.data_ptr()
    assert not matrices.is_turned(keeping(Holder(W_q=layer)), "W_q")
    assert layer.weight.data_ptr() == before
    assert torch.equal(layer.weight, torch.eye(2))


@pytest.mark.parametrize(("make", "way"), [(PerHead, Filled.ASSIGNED), (Fused, Filled.IN_PLACE)])
def test_what_stands_behind_a_name_is_filled_and_hidden_biases_are_silent(backend, make, way):
    built = make()
    assert backend.fill(keeping(built), "W_q", W) is way
    np.testing.assert_array_equal(built(torch.eye(2)).detach().numpy(), W)


@pytest.mark.parametrize("make", [PerHead, Fused])
def test_the_gradient_of_what_stands_behind_a_name_is_that_of_the_matrix(backend, make):
    built = make()
    backend.fill(keeping(built), "W_q", W)
    x = torch.tensor([[5.0, 7.0]])
    cotangent = np.array([[1.0, 10.0]])
    came = backend.gradients([built(x)], [cotangent], {}, keeping(built))
    np.testing.assert_allclose(came["W_q"], x.numpy().T @ cotangent)


@pytest.mark.parametrize("make", [PerHead, Fused])
def test_parts_that_parameters_gives_are_registered(make):
    assert matrices.registered(keeping(make())) == ["W_q"]


def test_a_plain_tensor_is_not_registered_and_its_numbers_are_no_gradient(backend):
    built = Holder()
    built.W_q = torch.ones(2, 2)
    built.W_o = nn.Parameter(torch.eye(2))
    assert matrices.registered(keeping(built)) == ["W_o"]
    came = backend.gradients([built.W_q @ built.W_o], [W], {}, keeping(built))
    assert came["W_q"] is None
    np.testing.assert_array_equal(came["W_o"], np.ones((2, 2)) @ W)


def test_a_shown_bias_keeps_its_numbers(backend):
    layer = nn.Linear(2, 2)
    nn.init.ones_(layer.bias)
    backend.fill(keeping(Holder(W_q=layer)), "W_q", W)
    assert torch.equal(layer.bias, torch.ones(2))
