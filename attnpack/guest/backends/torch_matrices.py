"""The matrices of a torch object, however it keeps them.

A layer's weight, a bare parameter, a view into a fused one, or a tensor put together from
parameters at each look: whatever stands behind `W_q` is found, written, and followed back to
the parameters that an optimiser would move.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import torch
from torch import nn

from attnpack.guest.backends import BIASES, MATRICES
from attnpack.guest.raised import Catching

Name = TypeVar("Name")

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


def held(built: Any, name: str) -> torch.Tensor | None:
    """The tensor behind `W_q` ... (a layer's weight, or the tensor itself) or `b_q` ..."""
    layer = getattr(built, name.replace("b_", "W_"), None)
    if isinstance(layer, nn.Module):
        tensor = getattr(layer, "weight" if name in MATRICES else "bias", None)
    else:
        tensor = getattr(built, name, None)
    return tensor if isinstance(tensor, torch.Tensor) else None


def is_turned(built: Any, name: str) -> bool:
    """Whether the tensor behind a name is the transpose of the matrix that is used as `x @ W`."""
    layer = getattr(built, name, None) if name in MATRICES else None
    if not isinstance(layer, nn.Module):
        return False
    return type(layer) is nn.Linear or _computes_with_transpose(layer)


def _computes_with_transpose(layer: nn.Module) -> bool:
    """Tried on a layer of the learner's own; `nn.Linear`'s way where that tells nothing."""
    weight = getattr(layer, "weight", None)
    if not isinstance(weight, torch.Tensor) or weight.ndim != 2:
        return True
    marked = torch.arange(weight.numel()).reshape(weight.shape).to(weight)  # (D, D)
    each_unit = torch.eye(weight.shape[0]).to(weight)  # (D, D)
    kept = weight.data
    straight = False
    with Catching(), torch.no_grad():
        weight.data = marked
        product = layer(each_unit) - layer(torch.zeros_like(each_unit))  # (D, D)
        straight = torch.allclose(product, marked, atol=0.1)
    weight.data = kept
    return not straight


def leaf(tensor: torch.Tensor) -> torch.Tensor:
    """The tensor itself, or what it is a view of."""
    base = tensor._base
    return tensor if base is None or tensor.is_leaf else base


def assign(built: Any, name: str, fresh: torch.Tensor) -> None:
    """A new tensor under the name; of a layer, a new weight or bias; through a setter if any."""
    layer = getattr(built, name.replace("b_", "W_"), None)
    if isinstance(layer, nn.Module):
        setattr(layer, "weight" if name in MATRICES else "bias", nn.Parameter(fresh))
    elif isinstance(getattr(type(built), name, None), property):
        setattr(built, name, fresh)
    else:
        setattr(built, name, nn.Parameter(fresh))


def registered(module: nn.Module) -> list[str]:
    """Those of the four matrices that `parameters()` gives: whole, as a view, or in parts."""
    known = {id(parameter) for parameter in module.parameters()}
    names = []
    for name in MATRICES:
        tensor = held(module, name)
        if tensor is not None and (id(leaf(tensor)) in known or is_assembled(module, name)):
            names.append(name)
    return names


def is_assembled(built: Any, name: str) -> bool:
    """Whether a matrix is put together from parameters: it holds what they hold, and no more."""
    tensor = held(built, name)
    if tensor is None or not isinstance(built, nn.Module):
        return False
    whole = leaf(tensor)
    if whole.is_leaf and whole.requires_grad:
        return False
    zeros, ones = (through_parameters(built, name, f) for f in (torch.zeros_like, torch.ones_like))
    return not bool(zeros.any()) and bool((ones == 1).all())


def through_parameters(
    module: nn.Module, name: str, contents: Callable[[nn.Parameter], torch.Tensor]
) -> torch.Tensor:
    """The tensor behind a name as it is while the module's parameters hold other numbers."""
    with _holding(module, contents):
        tensor = held(module, name)
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


def silence_hidden_biases(built: Any) -> None:
    """Zero the biases of layers behind the four names: nothing shows which numbers they add."""
    if not isinstance(built, nn.Module):
        return
    shown = [held(built, name) for name in BIASES]
    known = {id(leaf(tensor)) for tensor in shown if tensor is not None}
    for name, parameter in built.named_parameters():
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
    came = torch.autograd.grad(objective, list(wanted.values()), allow_unused=True)
    of_leaf = dict(zip(wanted, came, strict=True))
    found = {name: of_leaf.get(id(one)) for name, one in leaves.items()}
    return {n: None if g is None else part(g, targets[n]) for n, g in found.items()}
