"""The matrices of a torch object, however it keeps them.

A layer's weight, a bare parameter, a view into a fused one, or a tensor put together from
parameters at each look: whatever stands behind `W_q` is found, written, and followed back to
the parameters that an optimiser would move.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import torch
from torch import nn

from attnpack.guest.raised import Catching

Name = TypeVar("Name")

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from attnpack.guest.backends import Built


def held(built: Built, name: str) -> torch.Tensor | None:
    """The tensor behind a parameter (a layer's weight, or the tensor itself) or a bias."""
    layer = built.held(built.biases.get(name, name))
    if isinstance(layer, nn.Module):
        tensor = getattr(layer, "bias" if name in built.biases else "weight", None)
    else:
        tensor = built.held(name)
    return tensor if isinstance(tensor, torch.Tensor) else None


def is_turned(built: Built, name: str) -> bool:
    """Whether the tensor behind a name is the transpose of the matrix that is used as `x @ W`."""
    layer = built.held(name) if name in built.parameters else None
    if not isinstance(layer, nn.Module):
        return False
    return type(layer) is nn.Linear or _computes_with_transpose(layer, built.parameters[name])


def _computes_with_transpose(layer: nn.Module, shape: Sequence[int]) -> bool:
    """Tried on a layer of the learner's own; `nn.Linear`'s way where that tells nothing."""
    weight = getattr(layer, "weight", None)
    if not isinstance(weight, torch.Tensor) or list(weight.shape) != list(shape):
        return True
    marked = torch.arange(weight.numel()).reshape(weight.shape).to(weight)  # (D_in, D_out)
    each_unit = torch.eye(weight.shape[0]).to(weight)  # (D_in, D_in)
    kept = weight.data
    straight = False
    with Catching(), torch.no_grad():
        weight.data = marked
        product = layer(each_unit) - layer(torch.zeros_like(each_unit))  # (D_in, D_out)
        straight = torch.allclose(product, marked, atol=0.1)
    weight.data = kept
    return not straight


def leaf(tensor: torch.Tensor) -> torch.Tensor:
    """The tensor itself, or what it is a view of."""
    base = tensor._base
    return tensor if base is None or tensor.is_leaf else base


def assign(built: Built, name: str, fresh: torch.Tensor) -> None:
    """A new tensor under the name; of a layer, a new weight or bias; through a setter if any."""
    layer = built.held(built.biases.get(name, name))
    if isinstance(layer, nn.Module):
        setattr(layer, "bias" if name in built.biases else "weight", nn.Parameter(fresh))
    elif isinstance(getattr(type(built.made), name, None), property):
        setattr(built.made, name, fresh)
    else:
        setattr(built.made, name, nn.Parameter(fresh))


def registered(built: Built) -> list[str]:
    """What an object is to keep and `parameters()` gives: whole, as a view, or in parts.

    What is no module gives nothing, unless it has a method of that name.
    """
    give = getattr(built.made, "parameters", None)
    known = {id(parameter) for parameter in give()} if callable(give) else set()
    names = []
    for name in built.parameters:
        tensor = held(built, name)
        if tensor is not None and (id(leaf(tensor)) in known or is_assembled(built, name)):
            names.append(name)
    return names


def is_assembled(built: Built, name: str) -> bool:
    """Whether a matrix is put together from parameters: it holds what they hold, and no more."""
    tensor = held(built, name)
    if tensor is None or not isinstance(built.made, nn.Module):
        return False
    whole = leaf(tensor)
    if whole.is_leaf and whole.requires_grad:
        return False
    zeros, ones = (through_parameters(built, name, f) for f in (torch.zeros_like, torch.ones_like))
    return not bool(zeros.any()) and bool((ones == 1).all())


def through_parameters(
    built: Built, name: str, contents: Callable[[nn.Parameter], torch.Tensor]
) -> torch.Tensor:
    """The tensor behind a name as it is while the module's parameters hold other numbers."""
    with _holding(built.made, contents):
        tensor = held(built, name)
        assert tensor is not None
        return tensor.detach().clone()


@contextmanager
def _holding(module: nn.Module, contents: Callable[[nn.Parameter], torch.Tensor]) -> Iterator[None]:
    kept = [(parameter, parameter.data) for parameter in module.parameters()]
    try:
        for parameter, _ in kept:
            parameter.data = contents(parameter)
        yield
    finally:
        for parameter, data in kept:
            parameter.data = data


def silence_hidden_biases(built: Built) -> None:
    """Zero the biases of layers behind the names: nothing shows which numbers they add."""
    if not isinstance(built.made, nn.Module):
        return
    shown = [held(built, name) for name in built.biases]
    known = {id(leaf(tensor)) for tensor in shown if tensor is not None}
    for name, parameter in built.made.named_parameters():
        if name.endswith("bias") and id(parameter) not in known:
            parameter.data.zero_()


def part(gradient: torch.Tensor, tensor: torch.Tensor) -> torch.Tensor:
    """Of a leaf's gradient, the part that belongs to a view of the leaf."""
    whole = leaf(tensor)
    if tensor is whole:
        return gradient
    offset = tensor.storage_offset() - whole.storage_offset()
    return gradient.contiguous().as_strided(tensor.size(), tensor.stride(), offset)


def gradients(
    objective: torch.Tensor | None, targets: Mapping[Name, torch.Tensor]
) -> dict[Name, torch.Tensor | None]:
    """By name; a view of a leaf (a slice of a fused matrix) takes its part of the leaf's."""
    leaves = {name: leaf(tensor) for name, tensor in targets.items()}
    wanted = {id(one): one for one in leaves.values() if one.requires_grad}
    if objective is None or not wanted:
        return dict.fromkeys(targets)
    of_leaves = torch.autograd.grad(objective, list(wanted.values()), allow_unused=True)
    of_leaf = dict(zip(wanted, of_leaves, strict=True))
    found = {name: of_leaf.get(id(one)) for name, one in leaves.items()}
    return {n: None if g is None else part(g, targets[n]) for n, g in found.items()}
