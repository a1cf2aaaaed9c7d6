"""A stand-in for `Value` with the same arithmetic and no graph: for long forward passes.

A forward pass of a trained model takes millions of operations; as `Value`s they would all be kept
for a backward pass that nobody asks for.
"""

from __future__ import annotations

from attnpack.value import Value


class Number(Value):
    """What an operation with one makes is one, whichever side it stands on."""

    __slots__ = ()

    def __init__(self, data: float) -> None:
        self.data = data
        self.grad = 0.0
        self.parents = ()
        self.slopes = ()

    def __add__(self, other: Value | float) -> Number:
        return Number(self.data + (other.data if isinstance(other, Value) else other))

    def __sub__(self, other: Value | float) -> Number:
        return Number(self.data - (other.data if isinstance(other, Value) else other))

    def __rsub__(self, other: Value | float) -> Number:
        return Number((other.data if isinstance(other, Value) else other) - self.data)

    def __mul__(self, other: Value | float) -> Number:
        return Number(self.data * (other.data if isinstance(other, Value) else other))

    def __truediv__(self, other: Value | float) -> Number:
        return Number(self.data / (other.data if isinstance(other, Value) else other))

    def __rtruediv__(self, other: Value | float) -> Number:
        return Number((other.data if isinstance(other, Value) else other) / self.data)

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> Number:
        return Number(-self.data)

    def __pow__(self, exponent: Value | float) -> Number:
        return Number(Value(self.data).__pow__(exponent).data)

    def __rpow__(self, base: Value | float) -> Number:
        return Number((base if isinstance(base, Value) else Value(base)).__pow__(self.data).data)

    def exp(self) -> Number:
        """As `Value.exp`."""
        return Number(super().exp().data)

    def log(self) -> Number:
        """As `Value.log`."""
        return Number(super().log().data)

    def tanh(self) -> Number:
        """As `Value.tanh`."""
        return Number(super().tanh().data)

    def relu(self) -> Number:
        """As `Value.relu`."""
        return Number(super().relu().data)
