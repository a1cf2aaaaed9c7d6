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
    Array,
    Built,
    Called,
    Filled,
    GuestBackend,
    Lowered,
    Scalar,
    Snapshot,
    is_additive_mask,
    snapshot_of,
)
from attnpack.guest.backends import numpy as plain
from attnpack.guest.backends import torch_matrices as matrices
from attnpack.guest.backends.torch_calls import TorchCalls

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Mapping, Sequence


def create() -> GuestBackend:
    """A fresh backend for one task. One thread: the probes are small, the machine is shared."""
    torch.set_num_threads(1)
    # The first operations ask the machine for its processor: a confined guest could not.
    torch.softmax(torch.zeros(2, 2) @ torch.zeros(2, 2), -1)
    return _TorchBackend()


class _TorchBackend:
    """See `GuestBackend`."""

    def __init__(self) -> None:
        self._dtype = torch.float64
        """of the last argument"""

    def lift(self, value: Array | Scalar, precision: str, wants_grad: bool, /) -> Any:
        if isinstance(value, np.generic):
            return value.item()
        if not isinstance(value, np.ndarray):
            return value
        tensor = torch.from_numpy(np.array(value))
        if value.dtype.kind != "f":
            return tensor
        self._dtype = getattr(torch, precision)
        lifted = tensor.to(self._dtype)
        return lifted.requires_grad_(wants_grad and not is_additive_mask(value))

    def precision(self, built: Built, asked: str, /) -> str:
        held = (matrices.held(built, name) for name in built.parameters)
        dtypes = [tensor.dtype for tensor in held if tensor is not None]
        floats = [dtype for dtype in dtypes if dtype.is_floating_point]
        return str(floats[0]).removeprefix("torch.") if floats else asked

    def like(self, value: Any, array: Array, /) -> Any:
        if not isinstance(value, torch.Tensor):
            is_plain = isinstance(value, (int, float, list, tuple)) or array.ndim == 0
            return plain.like(value, array) if is_plain else self._lifted(array)
        made = torch.from_numpy(np.array(array))
        fits = value.is_floating_point() if made.is_floating_point() else made.dtype is torch.bool
        return made.to(value.dtype) if fits else made

    def _lifted(self, array: Array) -> torch.Tensor:
        """As the last argument was."""
        tensor = torch.from_numpy(np.array(array))
        return tensor.to(self._dtype) if tensor.is_floating_point() else tensor

    def overwrite(self, value: Any, array: Array, /) -> Any:
        made = self.like(value, array)
        if not isinstance(value, torch.Tensor):
            return plain.overwrite(value, made)
        return value if _tried(lambda: _overwrite(value, made)) else made

    def lower(self, value: Any, /) -> Lowered:
        if isinstance(value, torch.Tensor):
            return _lower_tensor(value)
        if isinstance(value, (list, tuple)):
            return plain.lower(_without_tensors(value))
        return plain.lower(value)

    def snapshot(self, value: Any, /) -> Snapshot:
        return snapshot_of(self.lower(value).array)

    def attached(self, value: Any, /) -> bool:
        if isinstance(value, (list, tuple)):
            return any(self.attached(item) for item in value)
        return isinstance(value, torch.Tensor) and value.requires_grad

    def gradients(
        self,
        results: Sequence[Any],
        cotangents: Sequence[Array | None],
        inputs: Mapping[str, Any],
        built: Built | None,
        /,
    ) -> dict[str, Array | None]:
        built = built or Built(None)
        held = {name: matrices.held(built, name) for name in built.names}
        tensors = {name: tensor for name, tensor in held.items() if tensor is not None}
        assembled = [name for name in tensors if matrices.is_assembled(built, name)]
        module = built.made if isinstance(built.made, nn.Module) and assembled else nn.Module()
        parts = dict(enumerate(module.parameters()))
        alone = {name: tensor for name, tensor in tensors.items() if name not in assembled}
        objective = _objective(results, cotangents)
        gradients = matrices.gradients(objective, {**inputs, **alone, **parts})
        of_part = {id(part): gradients.pop(number) for number, part in parts.items()}
        if any(gradient is not None for gradient in of_part.values()):
            gradients |= {name: _assembled_gradient(built, name, of_part) for name in assembled}
        return {
            name: _lowered_gradient(built, name, gradients.get(name))
            for name in (*inputs, *tensors)
        }

    def matrix(self, built: Built, name: str, /) -> Array | None:
        tensor = matrices.held(built, name)
        if tensor is None:
            return None
        array = _lower_tensor(tensor).array
        return array.T if array is not None and matrices.is_turned(built, name) else array

    def fill(self, built: Built, name: str, numbers: Array, /) -> Filled:
        tensor = matrices.held(built, name)
        if tensor is None:
            return Filled.ABSENT if built.held(name) is None else Filled.REFUSED
        if not isinstance(built.held(name), nn.Module) and name in built.parameters:
            matrices.silence_hidden_biases(built)
        oriented = numbers.T if matrices.is_turned(built, name) else numbers
        if tuple(tensor.shape) != oriented.shape:
            return Filled.REFUSED
        fresh = torch.from_numpy(np.array(oriented)).to(tensor.dtype)
        if _tried(lambda: _copy(tensor, fresh)) and self._holds(built, name, numbers):
            if not isinstance(built.made, nn.Module) and tensor.is_leaf:
                tensor.requires_grad_()
            return Filled.IN_PLACE
        assigned = _tried(lambda: matrices.assign(built, name, fresh))
        if assigned and self._holds(built, name, numbers):
            return Filled.ASSIGNED
        return Filled.REFUSED

    def _holds(self, built: Built, name: str, numbers: Array) -> bool:
        held = self.matrix(built, name)
        if held is None or held.dtype.kind != "f" or held.dtype.itemsize < 4:
            return False
        return np.array_equal(held, numbers.astype(held.dtype))

    def identity(self, built: Built, name: str, /) -> int | None:
        first, second = matrices.held(built, name), matrices.held(built, name)
        if first is None or second is None or first.data_ptr() != second.data_ptr():
            return None
        return first.data_ptr()

    def facts(self, built: Built, /) -> dict[str, Any]:
        module = built.made
        if not isinstance(module, nn.Module):
            return {"module": False, "parameters": matrices.registered(built)}
        return {
            "module": True,
            "parameters": matrices.registered(built),
            "bare": [name for name in built.parameters if _is_bare(module, name)],
            "buffers": [name for name, _ in module.named_buffers()][:8],
            "plain_tensors": _plain_masks(module, built.parameters)[:8],
        }

    def prepare(self, built: Built, mode: str, /) -> None:
        if isinstance(built.made, nn.Module):
            built.made.train(mode == "train")

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
        rows = [_without_tensors(item) for item in value]
        return tuple(rows) if isinstance(value, tuple) else rows
    return value


def _as_tensor(result: Any) -> torch.Tensor:
    """A result as one tensor; rows in a list are stacked."""
    if isinstance(result, torch.Tensor):
        return result
    if isinstance(result, (list, tuple)) and result:
        return torch.stack([_as_tensor(item) for item in result])
    return torch.as_tensor(result)


def _assembled_gradient(
    built: Built, name: str, of_part: Mapping[int, torch.Tensor | None]
) -> torch.Tensor:
    """The gradient of a matrix that is put together from parts, put together likewise."""

    def gradient_of(part: nn.Parameter) -> torch.Tensor:
        gradient = of_part[id(part)]
        return torch.zeros_like(part) if gradient is None else gradient

    return matrices.through_parameters(built, name, gradient_of)


def _lowered_gradient(built: Built, name: str, gradient: torch.Tensor | None) -> Array | None:
    """As an array, in the orientation `x @ W`."""
    array = None if gradient is None else _lower_tensor(gradient).array
    return array.T if array is not None and matrices.is_turned(built, name) else array


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


def _tried(write: Callable[[], None]) -> bool:
    try:
        write()
    except (AttributeError, KeyError, RuntimeError, TypeError, ValueError):
        return False
    return True


def _copy(tensor: torch.Tensor, fresh: torch.Tensor) -> None:
    with torch.no_grad():
        tensor.copy_(fresh)


def _overwrite(tensor: torch.Tensor, made: torch.Tensor) -> None:
    if tensor.shape != made.shape:
        raise ValueError("another size")
    tensor.data.copy_(made)  # without a word to the graph


def _is_bare(module: nn.Module, name: str) -> bool:
    """A matrix that is a tensor by itself: no parameter, no layer, no view of either."""
    tensor = vars(module).get(name)
    return isinstance(tensor, torch.Tensor) and tensor.is_leaf


def _plain_masks(module: nn.Module, parameters: Container[str]) -> list[str]:
    """Triangular tensors kept as plain attributes: they do not move with the module."""
    return [
        name
        for part in module.modules()
        for name, tensor in vars(part).items()
        if isinstance(tensor, torch.Tensor) and name not in parameters and _triangular(tensor)
    ]


def _triangular(tensor: torch.Tensor) -> bool:
    if tensor.ndim < 2 or tensor.shape[-1] != tensor.shape[-2] or tensor.shape[-1] < 2:
        return False
    lower_only, upper_only = torch.equal(tensor, tensor.tril()), torch.equal(tensor, tensor.triu())
    return lower_only != upper_only
