"""What the guest does with tensors and modules: in, out, fill, gradients, what was called."""

from __future__ import annotations

import numpy as np
import pytest

from attnpack.guest import backends
from attnpack.guest.backends import Built, Filled, Part

torch = pytest.importorskip("torch")
nn = torch.nn

D = 4
NAMES = ("W_q", "W_k", "W_v", "W_o")


def keeping(made):
    """An object that is asked to keep the four matrices."""
    biases = {"b_q": "W_q", "b_k": "W_k", "b_v": "W_v", "b_o": "W_o"}
    return Built(made, dict.fromkeys(NAMES, (D, D)), biases)


@pytest.fixture
def backend():
    return backends.get("torch")


@pytest.fixture
def numbers():
    return np.arange(float(D * D)).reshape(D, D) / 7.0


class Layers(nn.Module):
    """nn.Linear, the first with a bias."""

    def __init__(self):
        super().__init__()
        self.W_q = nn.Linear(D, D)
        self.W_k, self.W_v, self.W_o = (nn.Linear(D, D, bias=False) for _ in range(3))
        self.register_buffer("seen", torch.ones(3, 3).tril())

    def forward(self, x):
        return self.W_o(self.W_q(x) + self.W_k(x) + self.W_v(x))


class Parameters(nn.Module):
    """Bare parameters, used as x @ W."""

    def __init__(self):
        super().__init__()
        for name in NAMES:
            setattr(self, name, nn.Parameter(torch.randn(D, D)))

    def forward(self, x):
        return (x @ self.W_q + x @ self.W_k + x @ self.W_v) @ self.W_o


class Fused(nn.Module):
    """One matrix behind three names."""

    def __init__(self):
        super().__init__()
        self.fused = nn.Parameter(torch.randn(D, 3 * D))
        self.W_o = nn.Parameter(torch.randn(D, D))

    W_q = property(lambda self: self.fused[:, :D])
    W_k = property(lambda self: self.fused[:, D : 2 * D])
    W_v = property(lambda self: self.fused[:, 2 * D :])

    def forward(self, x):
        q, k, v = (x @ self.fused).chunk(3, dim=-1)
        return (q + k + v) @ self.W_o


class Plain:
    """No module at all."""

    def __init__(self):
        self.W_q, self.W_k, self.W_v, self.W_o = (torch.randn(D, D) for _ in range(4))

    forward = Parameters.forward


KINDS = (Layers, Parameters, Fused, Plain)


def test_floats_become_leaves_of_the_asked_precision(backend):
    lifted = backend.lift(np.ones((2, 3)), "float32", True)
    assert lifted.dtype == torch.float32
    assert lifted.requires_grad
    assert lifted.is_leaf
    assert not backend.lift(np.ones((2, 3)), "float64", False).requires_grad


@pytest.mark.parametrize("closed", [-1e9, -np.inf])
def test_masks_are_tensors_without_gradient(backend, closed):
    additive = backend.lift(np.array([[0.0, closed], [0.0, 0.0]]), "float64", True)
    boolean = backend.lift(np.array([[True, False]]), "float64", True)
    assert (additive.dtype, boolean.dtype) == (torch.float64, torch.bool)
    assert not additive.requires_grad
    assert not boolean.requires_grad


def test_integers_and_scalars_stay_what_they_are(backend):
    assert backend.lift(np.array([[1, 2]]), "float32", True).dtype == torch.int64
    assert backend.lift(5, "float32", True) == 5
    assert type(backend.lift(np.int64(5), "float32", True)) is int
    assert backend.lift(None, "float32", True) is None


def test_a_lifted_argument_shares_no_memory_with_the_array(backend):
    array = np.ones((2, 2))
    backend.lift(array, "float64", False).zero_()
    assert (array == 1).all()


@pytest.mark.parametrize(
    ("value", "dtype", "kind"),
    [
        (torch.ones(2, 3, requires_grad=True), "float32", "tensor"),
        (torch.ones(3, 2, dtype=torch.float64).T, "float64", "tensor"),
        (torch.ones(1, 1, dtype=torch.float16).expand(2, 3), "float16", "tensor"),
        (torch.ones(2, 3, dtype=torch.bfloat16), "bfloat16", "tensor"),
        (torch.ones(2, 3).to_sparse(), "float32", "tensor"),
        (nn.Parameter(torch.ones(2, 3)), "float32", "tensor"),
        (np.ones((2, 3)), "float64", "array"),
        ([torch.ones(3), torch.ones(3, requires_grad=True)], "list", "list"),
        ([[torch.tensor(1.0)] * 3, [1, 1.0, 1]], "list", "list"),
    ],
)
def test_whatever_holds_numbers_is_lowered_to_an_array(backend, value, dtype, kind):
    lowered = backend.lower(value)
    np.testing.assert_array_equal(lowered.array, np.ones((2, 3)))
    assert (lowered.dtype, lowered.kind) == (dtype, kind)


@pytest.mark.parametrize(
    "value",
    [None, "text", torch.empty(2, device="meta"), torch.ones(2, dtype=torch.complex64), [1, [2]]],
)
def test_what_holds_no_numbers_is_lowered_to_none(backend, value):
    assert backend.lower(value).array is None


def test_a_subclass_of_tensor_cannot_answer_for_itself(backend):
    class Liar(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            return torch.zeros(2)

    liar = torch.ones(2).as_subclass(Liar)
    lowered = backend.lower(liar)
    np.testing.assert_array_equal(lowered.array, [1.0, 1.0])
    assert lowered.kind == "Liar"


@pytest.mark.parametrize("kind", KINDS)
def test_filled_matrices_act_as_x_times_the_matrix(backend, kind, numbers):
    built = kind()
    for position, name in enumerate(NAMES):
        assert backend.fill(keeping(built), name, numbers + position) is Filled.IN_PLACE
    if kind is Layers:
        backend.fill(keeping(built), "b_q", np.zeros(D))
    for position, name in enumerate(NAMES):
        expected = (numbers + position).astype(np.float32)
        np.testing.assert_array_equal(backend.matrix(keeping(built), name), expected)
    x = np.eye(D)
    result = backend.lower(built.forward(backend.lift(x, "float32", False))).array
    by_hand = (3 * numbers + 3) @ (numbers + 3)
    np.testing.assert_allclose(result, by_hand, rtol=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_gradients_come_in_the_orientation_of_x_times_the_matrix(backend, kind, numbers):
    built = kind()
    for name in NAMES:
        backend.fill(keeping(built), name, numbers)
    if kind is Layers:
        backend.fill(keeping(built), "b_q", np.zeros(D))
    x, cotangent = np.linspace(-1, 1, 2 * D).reshape(2, D), np.linspace(1, 2, 2 * D).reshape(2, D)
    lifted = backend.lift(x, "float32", True)
    came = backend.gradients([built.forward(lifted)], [cotangent], {"0": lifted}, keeping(built))
    summed = 3 * numbers
    np.testing.assert_allclose(came["0"], cotangent @ (summed @ numbers).T, rtol=1e-4)
    np.testing.assert_allclose(came["W_o"], (x @ summed).T @ cotangent, rtol=1e-4)
    for name in ("W_q", "W_k", "W_v"):
        np.testing.assert_allclose(came[name], x.T @ cotangent @ numbers.T, rtol=1e-4, atol=1e-5)
    if kind is Layers:
        np.testing.assert_allclose(came["b_q"], cotangent.sum(axis=0) @ numbers.T, rtol=1e-4)


def test_gradients_of_several_results_add_up_and_a_missing_cotangent_counts_nothing(backend):
    x = backend.lift(np.array([2.0, 3.0]), "float64", True)
    ones = np.ones(2)
    came = backend.gradients([x * x, 5 * x], [ones, None], {"0": x}, None)
    np.testing.assert_array_equal(came["0"], [4.0, 6.0])
    came = backend.gradients([x * x, 5 * x], [ones, ones], {"0": x}, None)
    np.testing.assert_array_equal(came["0"], [9.0, 11.0])


def test_rows_in_a_list_have_gradients_too(backend):
    x = backend.lift(np.array([2.0, 3.0]), "float64", True)
    came = backend.gradients([[x, x * x]], [np.ones((2, 2))], {"0": x}, None)
    np.testing.assert_array_equal(came["0"], [5.0, 7.0])


@pytest.mark.parametrize(
    "cut",
    [
        lambda x: x.detach() * 2,
        lambda x: torch.tensor(x.tolist()),
        lambda x: torch.from_numpy(x.detach().numpy() * 2),
        lambda x: x.data * 2,
    ],
)
def test_a_cut_graph_gives_no_gradient_and_no_error(backend, cut):
    x = backend.lift(np.ones(3), "float64", True)
    result = cut(x)
    assert not backend.attached(result)
    assert backend.gradients([result], [np.ones(3)], {"0": x}, None) == {"0": None}


def test_an_input_that_plays_no_part_gets_none_beside_one_that_does(backend):
    x, y = (backend.lift(np.ones(3), "float64", True) for _ in range(2))
    came = backend.gradients([x * 2], [np.ones(3)], {"0": x, "1": y}, None)
    assert came["1"] is None
    assert came["0"] is not None


def test_a_change_in_place_that_breaks_the_graph_raises(backend):
    x = backend.lift(np.ones(3), "float64", True)
    exps = x.exp()
    exps += 1
    with pytest.raises(RuntimeError, match="inplace"):
        backend.gradients([exps], [np.ones(3)], {"0": x}, None)


def test_a_matrix_of_another_size_is_refused_and_a_missing_one_absent(backend):
    built = Layers()
    assert backend.fill(keeping(built), "W_q", np.ones((D + 1, D))) is Filled.REFUSED
    assert backend.fill(keeping(built), "b_k", np.ones(D)) is Filled.ABSENT
    assert backend.fill(keeping(object()), "W_q", np.ones((D, D))) is Filled.ABSENT


def test_a_matrix_made_anew_at_each_look_is_assigned_or_refused(backend, numbers):
    class Setter(Plain):
        held = torch.zeros(D, D)
        W_q = property(lambda s: s.held.clone(), lambda s, new: setattr(s, "held", new.detach()))

    class NoSetter:
        W_q = property(lambda _: torch.zeros(D, D))

    assert backend.fill(keeping(Setter()), "W_q", numbers) is Filled.ASSIGNED
    assert backend.fill(keeping(NoSetter()), "W_q", numbers) is Filled.REFUSED


def test_half_precision_matrices_do_not_hold_the_numbers(backend, numbers):
    built = Parameters().half()
    assert backend.fill(keeping(built), "W_q", numbers) is Filled.REFUSED


def test_one_object_behind_two_names_has_one_identity(backend):
    built, fused = Parameters(), Fused()
    built.W_k = built.W_q
    assert backend.identity(keeping(built), "W_q") == backend.identity(keeping(built), "W_k")
    assert backend.identity(keeping(built), "W_q") != backend.identity(keeping(built), "W_v")
    assert len({backend.identity(keeping(fused), name) for name in NAMES}) == len(NAMES)
    tied = Layers()
    tied.W_k.weight = tied.W_q.weight
    assert backend.identity(keeping(tied), "W_q") == backend.identity(keeping(tied), "W_k")
    assert backend.identity(keeping(built), "W_x") is None


@pytest.mark.parametrize("kind", [Layers, Parameters, Fused])
def test_registered_matrices_are_found_also_as_parts_of_a_fused_one(backend, kind):
    facts = backend.facts(keeping(kind()))
    assert facts["module"]
    assert facts["parameters"] == list(NAMES)


def test_layers_in_a_plain_list_are_not_registered(backend):
    class Listed(nn.Module):
        def __init__(self):
            super().__init__()
            self.layers = [nn.Linear(D, D) for _ in range(4)]

        W_q = property(lambda self: self.layers[0])

    assert backend.facts(keeping(Listed()))["parameters"] == []


def test_a_class_that_is_no_module_registers_nothing(backend):
    assert backend.facts(keeping(Plain())) == {"module": False, "parameters": []}


def test_only_a_mask_kept_as_a_plain_attribute_is_named(backend):
    built = Layers()
    built.table = torch.ones(5, 5, dtype=torch.bool).tril()
    built.additive = torch.full((5, 5), float("-inf")).triu(1)
    built.scale = torch.tensor(2.0)
    built.weights = torch.rand(5, 5)
    facts = backend.facts(keeping(built))
    assert sorted(facts["plain_tensors"]) == ["additive", "table"]
    assert facts["buffers"] == ["seen"]


def test_modules_are_put_into_the_asked_mode_and_others_left_alone(backend):
    built = Layers()
    backend.prepare(keeping(built), "eval")
    assert not built.training
    backend.prepare(keeping(built), "train")
    assert built.training
    backend.prepare(keeping(Plain()), "eval")


def test_inputs_take_the_dtype_of_the_module(backend):
    assert backend.precision(keeping(Layers()), "float64") == "float32"
    assert backend.precision(keeping(Parameters().double()), "float32") == "float64"
    assert backend.precision(keeping(object()), "float16") == "float16"


CALLS = {
    "scaled_dot_product_attention": "F.scaled_dot_product_attention(x, x, x)",
    "scaled_dot_product_attention by another name": "renamed(x, x, x)",
    "scaled_dot_product_attention below": "torch._C._nn.scaled_dot_product_attention(x, x, x)",
    "multi_head_attention_forward": "nn.MultiheadAttention(4, 2)(x, x, x)",
    "multi_head_attention_forward in an encoder": (
        "nn.TransformerEncoderLayer(4, 2, 8, batch_first=True).eval()(x)"
    ),
}


def run(backend, line):
    source = f"""
import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.functional import scaled_dot_product_attention as renamed
def forward(x):
    return {line}
"""
    called = []
    namespace = {}
    with backend.watch(called):
        exec(compile(source, "self_attention.py", "exec"), namespace)
        namespace["forward"](torch.randn(2, 3, 4))
    return called


@pytest.mark.parametrize("name", CALLS)
def test_ready_made_attention_is_seen_when_it_is_called(backend, name):
    called = [one for one in run(backend, CALLS[name]) if one.part is Part.ATTENTION]
    assert [one.name for one in called] == [f"torch.nn.functional.{name.split()[0]}"]
    assert (called[0].file, called[0].line) == ("self_attention.py", 7)


@pytest.mark.parametrize(
    "line", ["torch.softmax(x, -1)", "F.softmax(x, -1)", "x.softmax(-1)", "nn.Softmax(-1)(x)"]
)
def test_a_library_softmax_is_seen_and_marked_as_such(backend, line):
    called = run(backend, line)
    assert [(one.name, one.part) for one in called] == [("torch.softmax", Part.SOFTMAX)]


def test_attention_by_hand_calls_nothing_ready_made(backend):
    assert run(backend, "torch.exp(x) @ x.transpose(-2, -1)") == []
    parts = {one.part for one in run(backend, "nn.Linear(4, 4)(x)")}
    assert parts == {Part.RANDOM}
