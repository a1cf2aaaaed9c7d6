"""Layer norm and the feed-forward against torch's own, forward and backward."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")
nn = torch.nn
F = torch.nn.functional

B, T, D, HIDDEN = 2, 5, 7, 11
CLOSE = {"rtol": 1e-9, "atol": 1e-12}
ON_SHAPES = pytest.mark.parametrize("shape", [(D,), (T, D), (B, T, D), (B, 3, T, D)])
ON_EPS = pytest.mark.parametrize("eps", [None, 1e-5, 0.3])


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(1607)


def random(*shape):
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


def gradients(output, inputs):
    weights = torch.linspace(-1.0, 1.0, output.numel(), dtype=output.dtype).reshape(output.shape)
    return torch.autograd.grad((output * weights).sum(), inputs)


def assert_alike(ours, theirs, inputs):
    torch.testing.assert_close(ours, theirs, **CLOSE)
    for mine, its in zip(gradients(ours, inputs), gradients(theirs, inputs), strict=True):
        torch.testing.assert_close(mine, its, **CLOSE)


def given(eps):
    """What is handed over behind gain and bias."""
    return () if eps is None else (eps,)


@ON_SHAPES
@ON_EPS
def test_layer_norm_is_that_of_torch_forward_and_backward(in_torch, shape, eps):
    x, gain, bias = 3.0 + 2.0 * random(*shape), random(D), random(D)
    library = nn.LayerNorm(D, **({} if eps is None else {"eps": eps}), dtype=torch.float64)
    library.weight, library.bias = nn.Parameter(gain.detach()), nn.Parameter(bias.detach())
    ours = in_torch.layer_norm(x, gain, bias, *given(eps))
    theirs = F.layer_norm(x, (D,), gain, bias, library.eps)
    torch.testing.assert_close(ours, library(x), **CLOSE)
    assert_alike(ours, theirs, (x, gain, bias))


@ON_SHAPES
@ON_EPS
def test_layer_norm_in_numpy_is_that_of_torch(in_numpy, shape, eps):
    x, gain, bias = 3.0 + 2.0 * random(*shape), random(D), random(D)
    ours = in_numpy.layer_norm(*(a.detach().numpy() for a in (x, gain, bias)), *given(eps))
    theirs = F.layer_norm(x, (D,), gain, bias, 1e-5 if eps is None else eps)
    np.testing.assert_allclose(ours, theirs.detach().numpy(), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("mean", [0.0, 3.0, 1e4])
def test_a_constant_token_becomes_the_bias_in_both(in_numpy, in_torch, mean):
    x, gain, bias = torch.full((2, D), mean, dtype=torch.float64), random(D), random(D)
    expected = bias.detach().expand(2, D)
    torch.testing.assert_close(in_torch.layer_norm(x, gain, bias), expected, **CLOSE)
    ours = in_numpy.layer_norm(*(a.detach().numpy() for a in (x, gain, bias)))
    np.testing.assert_allclose(ours, expected.numpy(), rtol=1e-9, atol=1e-12)


def feed_arguments(*shape):
    return (random(*shape), random(D, HIDDEN), random(HIDDEN), random(HIDDEN, D), random(D))


def of_library(approximate, x, W_1, b_1, W_2, b_2):
    return F.gelu(x @ W_1 + b_1, approximate=approximate) @ W_2 + b_2


def by_modules(approximate, x, W_1, b_1, W_2, b_2):
    """The same through torch's layers, whose weights are the other way round."""
    first, second = nn.Linear(D, HIDDEN), nn.Linear(HIDDEN, D)
    values = (W_1.T, b_1, W_2.T, b_2)
    kept = (first.weight, first.bias, second.weight, second.bias)
    for parameter, value in zip(kept, values, strict=True):
        parameter.data = value.detach().clone()
    return nn.Sequential(first, nn.GELU(approximate), second)(x)


@ON_SHAPES
def test_feed_forward_in_torch_has_the_exact_gelu_forward_and_backward(in_torch, shape):
    arguments = feed_arguments(*shape)
    ours = in_torch.feed_forward(*arguments)
    assert_alike(ours, of_library("none", *arguments), arguments)
    torch.testing.assert_close(ours, by_modules("none", *arguments), **CLOSE)


@ON_SHAPES
def test_feed_forward_in_numpy_has_gelus_tanh_form(in_numpy, shape):
    arguments = feed_arguments(*shape)
    ours = in_numpy.feed_forward(*(a.detach().numpy() for a in arguments))
    theirs = of_library("tanh", *arguments).detach().numpy()
    np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("form", "approximate"), [("exact", "none"), ("tanh", "tanh")])
def test_the_oracle_knows_both_forms_of_gelu(form, approximate):
    from attnpack import pack

    pack.load()
    from attnpack.pack.checks.exercises import exercise

    arguments = feed_arguments(B, T, D)
    names = exercise("feed_forward").takes.positional
    call = {n: a.detach().numpy() for n, a in zip(names, arguments, strict=True)}
    right = exercise("feed_forward").right({**call, "form": form})["output"]
    theirs = of_library(approximate, *arguments).detach().numpy()
    np.testing.assert_allclose(right, theirs, rtol=1e-9, atol=1e-12)


def test_the_oracle_norms_as_torch_does():
    from attnpack import pack

    pack.load()
    from attnpack.pack.checks.exercises import exercise

    x, gain, bias = random(B, T, D), random(D), random(D)
    call = {"x": x, "gain": gain, "bias": bias}
    call = {name: tensor.detach().numpy() for name, tensor in call.items()}
    right = exercise("layer_norm").right({**call, "eps": 0.1})["normed"]
    theirs = F.layer_norm(x, (D,), gain, bias, 0.1).detach().numpy()
    np.testing.assert_allclose(right, theirs, rtol=1e-9, atol=1e-12)
