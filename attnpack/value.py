"""A scalar autograd engine in the manner of micrograd.

A `Value` is a number that remembers what it was made from:

    >>> a, b = Value(2.0), Value(-3.0)
    >>> y = a * b + b.exp()
    >>> y.backward()
    >>> a.grad
    -3.0

Each operation stores the values it used (`parents`) and its own derivative with respect to
each of them (`slopes`). `backward` walks the graph from the result to the leaves and applies
the chain rule. After Karpathy's micrograd (github.com/karpathy/micrograd).
"""

from __future__ import annotations

import math


class Value:
    """A number with a gradient.

    data     the number; float
    grad     d result / d this, after `result.backward()`
    parents  the values it was made from; empty for a leaf
    slopes   d this / d parent, one for each parent
    """

    __slots__ = ("data", "grad", "parents", "slopes")

    def __init__(
        self, data: float, parents: tuple[Value, ...] = (), slopes: tuple[float, ...] = ()
    ) -> None:
        self.data = float(data)
        self.grad = 0.0
        self.parents = parents
        self.slopes = slopes

    def backward(self) -> None:
        """Set the grad of everything this value was made from.

        Leaves accumulate: a second call adds to what the first one left. The values in between
        start from 0 each time.
        """
        order = self._topological_order()
        for value in order:
            if value.parents:
                value.grad = 0.0
        self.grad += 1.0
        for value in reversed(order):
            for parent, slope in zip(value.parents, value.slopes, strict=True):
                parent.grad += slope * value.grad

    def zero_grad(self) -> None:
        """Set the grad of this value, and of everything it was made from, to 0."""
        for value in self._topological_order():
            value.grad = 0.0

    def _topological_order(self) -> list[Value]:
        """Every value this one was made from, parents before children, itself last.

        A stack of our own instead of recursion: a sum over a long sequence is a deep graph.
        """
        order: list[Value] = []
        seen: set[int] = set()
        stack = [(self, False)]
        while stack:
            value, parents_are_done = stack.pop()
            if parents_are_done:
                order.append(value)
            elif id(value) not in seen:
                seen.add(id(value))
                stack.append((value, True))
                stack.extend((parent, False) for parent in value.parents)
        return order

    def __add__(self, other: Value | float) -> Value:
        other = _as_value(other)
        return Value(self.data + other.data, (self, other), (1.0, 1.0))

    def __sub__(self, other: Value | float) -> Value:
        other = _as_value(other)
        return Value(self.data - other.data, (self, other), (1.0, -1.0))

    def __mul__(self, other: Value | float) -> Value:
        other = _as_value(other)
        return Value(self.data * other.data, (self, other), (other.data, self.data))

    def __truediv__(self, other: Value | float) -> Value:
        other = _as_value(other)
        quotient = self.data / other.data
        return Value(quotient, (self, other), (1.0 / other.data, -quotient / other.data))

    def __pow__(self, other: Value | float) -> Value:
        """Raises ValueError where a negative base has no real power."""
        other = _as_value(other)
        power = _real_power(self.data, other.data)
        slopes = (_base_slope(self.data, other.data, power), _exponent_slope(self.data, power))
        return Value(power, (self, other), slopes)

    def __neg__(self) -> Value:
        return Value(-self.data, (self,), (-1.0,))

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other: float) -> Value:
        return Value(other) - self

    def __rtruediv__(self, other: float) -> Value:
        return Value(other) / self

    def __rpow__(self, base: float) -> Value:
        return Value(base) ** self

    def exp(self) -> Value:
        """Raises OverflowError where `math.exp` does: above about 709."""
        power = math.exp(self.data)
        return Value(power, (self,), (power,))

    def log(self) -> Value:
        """The natural logarithm. Raises ValueError where `math.log` does: at 0 and below."""
        return Value(math.log(self.data), (self,), (1.0 / self.data,))

    def tanh(self) -> Value:
        """Between -1 and 1."""
        tangent = math.tanh(self.data)
        return Value(tangent, (self,), (1.0 - tangent * tangent,))

    def relu(self) -> Value:
        """The value where it is positive, else 0; the slope at 0 is 0."""
        if self.data <= 0.0:
            return Value(0.0, (self,), (0.0,))
        return Value(self.data, (self,), (1.0,))

    def __lt__(self, other: Value | float) -> bool:
        return self.data < _as_value(other).data

    def __le__(self, other: Value | float) -> bool:
        return self.data <= _as_value(other).data

    def __gt__(self, other: Value | float) -> bool:
        return self.data > _as_value(other).data

    def __ge__(self, other: Value | float) -> bool:
        return self.data >= _as_value(other).data

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Value | int | float):
            return self.data == _as_value(other).data
        return NotImplemented

    def __hash__(self) -> int:
        """By identity: two values with the same number are two places in the graph."""
        return id(self)

    def __repr__(self) -> str:
        return f"Value(data={self.data}, grad={self.grad})"


def _as_value(operand: Value | float) -> Value:
    """A plain number joins the graph as a leaf."""
    return operand if isinstance(operand, Value) else Value(operand)


def _real_power(base: float, exponent: float) -> float:
    """base ** exponent, refused where it is not a real number."""
    if base < 0.0 and exponent % 1 != 0:
        raise ValueError(f"{base} ** {exponent} is not a real number")
    return float(base**exponent)


def _base_slope(base: float, exponent: float, power: float) -> float:
    """d base ** exponent / d base; at 0 from the right."""
    if base != 0.0:
        return exponent * power / base
    if exponent == 1.0:
        return 1.0
    return math.inf if 0.0 < exponent < 1.0 else 0.0


def _exponent_slope(base: float, power: float) -> float:
    """d base ** exponent / d exponent; a negative base has none."""
    if base > 0.0:
        return power * math.log(base)
    return 0.0 if base == 0.0 else math.nan
