"""The oracle, the solutions and torch's own attention agree on every probe of every exercise."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from sampled import in_their_backends

from attnpack import pack
from attnpack.calls import Task
from attnpack.host.inprocess import run_in_process
from attnpack.terms import Backend
from checks.draft import Tag
from checks.exercises import EXERCISES
from checks.probe import with_answers

needs_torch = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="torch is an extra"
)
BACKENDS = [
    pytest.param(Backend.NUMPY, id="numpy"),
    pytest.param(Backend.TORCH, id="torch", marks=needs_torch),
    pytest.param(Backend.VALUE, id="value"),
]
FILES = {exercise.name: exercise.file for exercise in EXERCISES}
NAMES = [exercise.name for exercise in EXERCISES]
CLOSE = 1e-9
"""of double precision on scores of 1e4: the rounding of a score times the weights' slope"""


@pytest.mark.parametrize(("backend", "exercise"), in_their_backends())
def test_the_solutions_give_the_oracles_numbers(planned, answerable, backend, exercise):
    file = FILES[exercise]
    texts = {
        e.file: pack.load().reference_path(backend, e.file).read_text(encoding="utf-8")
        for e in EXERCISES
        if backend in e.backends
    }
    plan = planned(exercise, backend)
    task = Task(exercise, file, texts, backend.value, plan.questions)
    answers = run_in_process(task).answers
    for probe, index in answerable(exercise, backend):
        if probe.tags & {Tag.TRAIN}:
            continue
        answered = with_answers(probe, answers)
        expected = answered.probe.expected_results[index]
        single = probe.precision == "float32"
        for name, right, came in zip(
            probe.exercise.results, expected, answered.arrays(index), strict=True
        ):
            allowed = answered.probe.tolerance(index, name) if single else CLOSE
            pair = probe.comparable(came), probe.comparable(right)
            np.testing.assert_allclose(*pair, rtol=CLOSE, atol=allowed, err_msg=probe.key)


def in_torch(exercise, call):
    """The exercise by torch's own functions, in double precision."""
    import torch
    from torch.nn import functional

    tensors = {n: torch.from_numpy(np.array(a)) for n, a in call.items() if hasattr(a, "dtype")}
    if exercise == "softmax":
        return (functional.softmax(tensors["scores"].double(), dim=-1),)
    if exercise == "attention_scores":
        queries, keys = tensors["Q"].double(), tensors["K"].double()
        return (torch.einsum("...qd,...kd->...qk", queries, keys) * call["d_k"] ** -0.5,)
    if exercise == "apply_attention":
        return (torch.einsum("...qk,...kv->...qv", tensors["weights"], tensors["V"]),)
    if exercise == "layer_norm":
        gain, bias, x = (tensors[name] for name in ("gain", "bias", "x"))
        return (functional.layer_norm(x, gain.shape, gain, bias, call["eps"]),)
    if exercise == "feed_forward":
        x, *layers = (tensors[name] for name in ("x", "W_1", "b_1", "W_2", "b_2"))
        hidden = functional.gelu(x @ layers[0] + layers[1])
        return (hidden @ layers[2] + layers[3],)
    if exercise == "scaled_dot_product_attention":
        queries, keys, values = (tensors[n].double() for n in "QKV")
        mask = tensors.get("mask")
        attend = functional.scaled_dot_product_attention
        identity = torch.eye(keys.shape[-2], dtype=torch.float64).expand(*keys.shape[:-1], -1)
        return tuple(attend(queries, keys, v, attn_mask=mask) for v in (values, identity))
    return (_multi_head(exercise, call),)


def _multi_head(exercise, call):
    import torch

    x = torch.from_numpy(call["x"])
    flat = x.reshape(-1, *x.shape[-2:])
    width, length = x.shape[-1], x.shape[-2]
    heads = call["num_heads"] if exercise == "MultiHeadAttention" else 1
    matrices = call["matrices"]
    layer = torch.nn.MultiheadAttention(width, heads, batch_first=True, dtype=torch.float64).eval()
    projections = [matrices[f"W_{letter}"].T for letter in "qkv"]
    biases = [matrices.get(f"b_{letter}", np.zeros(width)) for letter in "qkvo"]
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.from_numpy(np.concatenate(projections)))
        layer.in_proj_bias.copy_(torch.from_numpy(np.concatenate(biases[:3])))
        layer.out_proj.weight.copy_(torch.from_numpy(matrices["W_o"].T.copy()))
        layer.out_proj.bias.copy_(torch.from_numpy(biases[3]))
        hidden = torch.ones(length, length).triu(1).bool() if call["causal"] else None
        output, _ = layer(flat, flat, flat, attn_mask=hidden, need_weights=False)
    return output.reshape(x.shape)


@needs_torch
@pytest.mark.parametrize("exercise", [name for name in NAMES if name != "causal_mask"])
@pytest.mark.parametrize("backend", [Backend.NUMPY, Backend.TORCH])
def test_torchs_own_attention_gives_the_oracles_numbers(answerable, backend, exercise):
    for probe, index in answerable(exercise, backend):
        came = in_torch(exercise, probe.calls[index])
        for right, tensor in zip(probe.expected_results[index], came, strict=True):
            np.testing.assert_allclose(
                tensor.numpy(), right, rtol=CLOSE, atol=CLOSE, err_msg=probe.key
            )
