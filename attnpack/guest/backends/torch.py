"""torch: tensors and modules; gradients come from its autograd.

`nn.Linear` computes `x @ weight.T`, so a layer's matrix is its weight transposed; a bare tensor
or parameter under one of the four names is used as `x @ W`.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import nn

from attnpack.guest.backends import (
    BIASES,
    MATRICES,
    Argument,
    Array,
    Called,
    Filled,
    GuestBackend,
    Lowered,
    is_additive_mask,
)
from attnpack.guest.backends import numpy as plain
from attnpack.guest.backends.torch_calls import TorchCalls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence


def create() -> GuestBackend:
    """A fresh backend for one task. One thread: the probes are small, the machine is shared."""
    torch.set_num_threads(1)
    # The first operations ask the machine for its processor: a confined guest could not.
    torch.softmax(torch.zeros(2, 2) @ torch.zeros(2, 2), -1)
    return _TorchBackend()


class _TorchBackend:
    """See `GuestBackend`."""

    def lift(self, value: Argument, precision: str, wants_grad: bool, /) -> Any:
        if isinstance(value, np.generic):
            return value.item()
        if not isinstance(value, np.ndarray):
            return value
        tensor = torch.from_numpy(np.array(value))
        if value.dtype.kind != "f":
            return tensor
        lifted = tensor.to(getattr(torch, precision))
        return lifted.requires_grad_(wants_grad and not is_additive_mask(value))

    def precision(self, built: Any, asked: str, /) -> str:
        held = (_held(built, name) for name in MATRICES)
        dtypes = [tensor.dtype for tensor in held if tensor is not None]
        floats = [dtype for dtype in dtypes if dtype.is_floating_point]
        return str(floats[0]).removeprefix("torch.") if floats else asked

    def lower(self, value: Any, /) -> Lowered:
        if isinstance(value, torch.Tensor):
            return _lower_tensor(value)
        if isinstance(value, (list, tuple)):
            return plain.lower(_without_tensors(value))
        return plain.lower(value)

    def attached(self, value: Any, /) -> bool:
        if isinstance(value, (list, tuple)):
            return any(self.attached(item) for item in value)
        return isinstance(value, torch.Tensor) and value.requires_grad

    def gradients(
        self,
        results: Sequence[Any],
        cotangents: Sequence[Array | None],
        inputs: Mapping[str, Any],
        built: Any | None,
        /,
    ) -> dict[str, Array | None]:
        held = {name: _held(built, name) for name in (*MATRICES, *BIASES)}
        tensors = {name: tensor for name, tensor in held.items() if tensor is not None}
        gradients = _gradients(_objective(results, cotangents), {**inputs, **tensors})
        return {
            name: gradient.T if gradient is not None and _transposed(built, name) else gradient
            for name, gradient in gradients.items()
        }

    def matrix(self, built: Any, name: str, /) -> Array | None:
        tensor = _held(built, name)
        if tensor is None:
            return None
        array = _lower_tensor(tensor).array
        return array.T if array is not None and _transposed(built, name) else array

    def fill(self, built: Any, name: str, numbers: Array, /) -> Filled:
        tensor = _held(built, name)
        if tensor is None:
            return Filled.ABSENT if getattr(built, name, None) is None else Filled.REFUSED
        oriented = numbers.T if _transposed(built, name) else numbers
        if tuple(tensor.shape) != oriented.shape:
            return Filled.REFUSED
        fresh = torch.from_numpy(np.array(oriented)).to(tensor.dtype)
        if _tried(lambda: _copy(tensor, fresh)) and self._holds(built, name, numbers):
            if not isinstance(built, nn.Module) and tensor.is_leaf:
                tensor.requires_grad_()
            return Filled.IN_PLACE
        if _tried(lambda: _assign(built, name, fresh)) and self._holds(built, name, numbers):
            return Filled.ASSIGNED
        return Filled.REFUSED

    def _holds(self, built: Any, name: str, numbers: Array) -> bool:
        held = self.matrix(built, name)
        if held is None or held.dtype.kind != "f" or held.dtype.itemsize < 4:
            return False
        return np.array_equal(held, numbers.astype(held.dtype))

    def identity(self, built: Any, name: str, /) -> int | None:
        first, second = _held(built, name), _held(built, name)
        if first is None or second is None or first.data_ptr() != second.data_ptr():
            return None
        return first.data_ptr()

    def facts(self, built: Any, /) -> dict[str, Any]:
        if not isinstance(built, nn.Module):
            return {"module": False}
        return {
            "module": True,
            "parameters": _registered(built),
            "buffers": [name for name, _ in built.named_buffers()][:8],
            "plain_tensors": _plain_masks(built)[:8],
        }

    def prepare(self, built: Any, mode: str, /) -> None:
        if isinstance(built, nn.Module):
            built.train(mode == "train")

    @contextmanager
    def watch(self, called: list[Called], /) -> Iterator[None]:
        with TorchCalls(called):
            yield


def _lower_tensor(tensor: torch.Tensor) -> Lowered:
    kind = "tensor" if type(tensor) in (torch.Tensor, nn.Parameter) else type(tensor).__name__
    # A subclass cannot answer for itself.
    with torch._C.DisableTorchFunction():
        bare = torch.Tensor.detach(tensor)
        dtype = str(bare.dtype).removeprefix("torch.")
        try:
            dense = bare.to_dense() if bare.is_sparse else bare
            wide = dense.float() if dense.dtype == torch.bfloat16 else dense
            array = plain.travelling(wide.cpu().numpy())
        except (RuntimeError, TypeError, NotImplementedError):
            array = None
    return Lowered(array, dtype, kind)


def _without_tensors(value: Any) -> Any:
    """Nested lists with numpy arrays where tensors were."""
    if isinstance(value, torch.Tensor):
        return _lower_tensor(value).array
    if isinstance(value, (list, tuple)):
        return type(value)(_without_tensors(item) for item in value)
    return value


def _as_tensor(result: Any) -> torch.Tensor:
    """A result as one tensor; rows in a list are stacked."""
    if isinstance(result, torch.Tensor):
        return result
    if isinstance(result, (list, tuple)) and result:
        return torch.stack([_as_tensor(item) for item in result])
    return torch.as_tensor(result)


def _objective(results: Sequence[Any], cotangents: Sequence[Array | None]) -> torch.Tensor | None:
    """sum(cotangent * result), as far as a gradient can flow; None where it cannot at all."""
    terms = []
    for result, cotangent in zip(results, cotangents, strict=False):
        if cotangent is None or not isinstance(result, (torch.Tensor, list, tuple)):
            continue
        tensor = _as_tensor(result)
        if tensor.requires_grad and tuple(tensor.shape) == cotangent.shape:
            weights = torch.from_numpy(np.array(cotangent)).to(tensor.dtype)
            terms.append((tensor * weights).sum())
    return torch.stack(terms).sum() if terms else None


def _gradients(
    objective: torch.Tensor | None, targets: Mapping[str, torch.Tensor]
) -> dict[str, Array | None]:
    """By name; a view of a leaf (a slice of a fused matrix) takes its part of the leaf's."""
    leaves = {name: _leaf(tensor) for name, tensor in targets.items()}
    wanted = {id(leaf): leaf for leaf in leaves.values() if leaf.requires_grad}
    if objective is None or not wanted:
        return dict.fromkeys(targets)
    came = torch.autograd.grad(objective, list(wanted.values()), allow_unused=True)
    of_leaf = dict(zip(wanted, came, strict=True))
    gradients: dict[str, Array | None] = {}
    for name, tensor in targets.items():
        gradient = of_leaf.get(id(leaves[name]))
        part = None if gradient is None else _part(gradient, tensor, leaves[name])
        gradients[name] = None if part is None else _lower_tensor(part).array
    return gradients


def _leaf(tensor: torch.Tensor) -> torch.Tensor:
    base = tensor._base
    return tensor if base is None or tensor.is_leaf else base


def _part(gradient: torch.Tensor, tensor: torch.Tensor, leaf: torch.Tensor) -> torch.Tensor:
    if tensor is leaf:
        return gradient
    offset = tensor.storage_offset() - leaf.storage_offset()
    return gradient.contiguous().as_strided(tensor.size(), tensor.stride(), offset)


def _held(built: Any, name: str) -> torch.Tensor | None:
    """The tensor behind `W_q` ... (a layer's weight, or the tensor itself) or `b_q` ..."""
    layer = getattr(built, name.replace("b_", "W_"), None)
    if isinstance(layer, nn.Module):
        held = getattr(layer, "weight" if name in MATRICES else "bias", None)
    else:
        held = getattr(built, name, None)
    return held if isinstance(held, torch.Tensor) else None


def _transposed(built: Any, name: str) -> bool:
    return name in MATRICES and isinstance(getattr(built, name, None), nn.Module)


def _tried(write: Callable[[], None]) -> bool:
    try:
        write()
    except (AttributeError, KeyError, RuntimeError, TypeError, ValueError):
        return False
    return True


def _copy(tensor: torch.Tensor, fresh: torch.Tensor) -> None:
    with torch.no_grad():
        tensor.copy_(fresh)


def _assign(built: Any, name: str, fresh: torch.Tensor) -> None:
    """A new tensor under the name; of a layer, a new weight or bias."""
    layer = getattr(built, name.replace("b_", "W_"), None)
    if isinstance(layer, nn.Module):
        setattr(layer, "weight" if name in MATRICES else "bias", nn.Parameter(fresh))
    else:
        setattr(built, name, nn.Parameter(fresh))


def _registered(module: nn.Module) -> list[str]:
    """Those of the four matrices that `parameters()` gives, whole or as a view of one it gives."""
    known = {id(parameter) for parameter in module.parameters()}
    held = {name: _held(module, name) for name in MATRICES}
    return [n for n, tensor in held.items() if tensor is not None and id(_leaf(tensor)) in known]


def _plain_masks(module: nn.Module) -> list[str]:
    """Triangular tensors kept as plain attributes: they do not move with the module."""
    return [
        name
        for part in module.modules()
        for name, tensor in vars(part).items()
        if isinstance(tensor, torch.Tensor) and name not in MATRICES and _triangular(tensor)
    ]


def _triangular(tensor: torch.Tensor) -> bool:
    if tensor.ndim < 2 or tensor.shape[-1] != tensor.shape[-2] or tensor.shape[-1] < 2:
        return False
    lower_only, upper_only = torch.equal(tensor, tensor.tril()), torch.equal(tensor, tensor.triu())
    return lower_only != upper_only
