"""The torch solutions against torch's own attention, forward and backward."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")
nn = torch.nn
F = torch.nn.functional

B, H, T_Q, T_K, D_K, D_V = 2, 3, 5, 7, 11, 4
CLOSE = {"rtol": 1e-9, "atol": 1e-12}


@pytest.fixture(autouse=True)
def seeded():
    torch.manual_seed(1706)


def random(*shape):
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


def gradients(output, inputs):
    weights = torch.linspace(-1.0, 1.0, output.numel(), dtype=output.dtype).reshape(output.shape)
    return torch.autograd.grad((output * weights).sum(), inputs)


def padding(*shape):
    keep = torch.rand(*shape) > 0.4
    keep[..., 0] = True
    return keep


MASKS = {
    "no mask": lambda: None,
    "causal": lambda: torch.ones(T_Q, T_K, dtype=torch.bool).tril(),
    "padding": lambda: padding(B, 1, 1, T_K),
    "causal and padding": lambda: (
        padding(B, 1, 1, T_K) & torch.ones(T_Q, T_K, dtype=torch.bool).tril()
    ),
    "additive": lambda: torch.where(padding(B, 1, T_Q, T_K), 0.0, -1e9).double(),
    "minus infinity": lambda: torch.where(padding(B, 1, T_Q, T_K), 0.0, float("-inf")).double(),
}


@pytest.mark.parametrize("name", MASKS)
def test_attention_is_that_of_torch_forward_and_backward(in_torch, name):
    Q, K, V = random(B, H, T_Q, D_K), random(B, H, T_K, D_K), random(B, H, T_K, D_V)
    mask = MASKS[name]()
    output, weights = in_torch.scaled_dot_product_attention(Q, K, V, mask)
    expected = F.scaled_dot_product_attention(Q, K, V, attn_mask=mask)
    torch.testing.assert_close(output, expected, **CLOSE)
    torch.testing.assert_close(weights @ V, expected, **CLOSE)
    for ours, theirs in zip(
        gradients(output, (Q, K, V)), gradients(expected, (Q, K, V)), strict=True
    ):
        torch.testing.assert_close(ours, theirs, **CLOSE)


def torchs_own(module, d_model, heads):
    """nn.MultiheadAttention with the weights of one of our modules."""
    own = nn.MultiheadAttention(d_model, heads, bias=False, batch_first=True).double()
    with torch.no_grad():
        fused = [module.W_q.weight, module.W_k.weight, module.W_v.weight]
        own.in_proj_weight.copy_(torch.cat(fused))
        own.out_proj.weight.copy_(module.W_o.weight)
    return own


def closed_future(length):
    return torch.ones(length, length, dtype=torch.bool).triu(1)


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("heads", [1, 2, 4, 8])
def test_many_heads_are_those_of_torch_forward_and_backward(in_torch, heads, causal):
    module = in_torch.MultiHeadAttention(8, heads, causal).double()
    own = torchs_own(module, 8, heads)
    x = random(B, T_Q, 8)
    output = module(x)
    expected, _ = own(x, x, x, attn_mask=closed_future(T_Q) if causal else None)
    torch.testing.assert_close(output, expected, **CLOSE)

    ours = gradients(output, (x, module.W_q.weight, module.W_k.weight, module.W_v.weight))
    theirs = gradients(expected, (x, own.in_proj_weight))
    torch.testing.assert_close(ours[0], theirs[0], **CLOSE)
    torch.testing.assert_close(torch.cat(ours[1:]), theirs[1], **CLOSE)


@pytest.mark.parametrize("causal", [True, False])
def test_one_head_is_that_of_torch_forward_and_backward(in_torch, causal):
    module = in_torch.SelfAttention(8).double()
    own = torchs_own(module, 8, 1)
    x = random(B, T_Q, 8)
    output = module(x, causal=causal)
    expected, _ = own(x, x, x, attn_mask=closed_future(T_Q) if causal else None)
    torch.testing.assert_close(output, expected, **CLOSE)
    torch.testing.assert_close(
        gradients(output, (x, module.W_o.weight)),
        gradients(expected, (x, own.out_proj.weight)),
        **CLOSE,
    )


def test_padded_keys_are_hidden_from_every_head_as_in_torch(in_torch):
    module = in_torch.MultiHeadAttention(8, 2, causal=False).double()
    own = torchs_own(module, 8, 2)
    x = random(B, T_K, 8)
    keep = padding(B, T_K)
    Q, K, V = (module.split_heads(layer(x)) for layer in (module.W_q, module.W_k, module.W_v))
    heads, _ = in_torch.scaled_dot_product_attention(Q, K, V, keep[:, None, None, :])
    output = module.W_o(module.join_heads(heads))
    expected, _ = own(x, x, x, key_padding_mask=~keep)
    torch.testing.assert_close(output, expected, **CLOSE)
    torch.testing.assert_close(gradients(output, (x,)), gradients(expected, (x,)), **CLOSE)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_masks_hold_in_every_precision_and_keep_it(in_torch, dtype):
    Q, K, V = (torch.randn(4, 8, dtype=dtype) for _ in range(3))
    keep = torch.ones(4, 4, dtype=torch.bool).tril()
    for mask in (keep, in_torch.causal_mask(4)):
        output, weights = in_torch.scaled_dot_product_attention(Q, K, V, mask)
        assert output.dtype == weights.dtype == dtype
        assert torch.isfinite(output).all()
        assert (weights.triu(1) == 0).all()


@pytest.mark.parametrize("grad", [True, False])
def test_modules_run_as_constructed_with_grad_and_without(in_torch, grad):
    module = in_torch.MultiHeadAttention(8, 2).eval()
    with torch.set_grad_enabled(grad):
        output = module(torch.randn(2, 5, 8))
    assert output.dtype == torch.float32
    assert output.requires_grad == grad


def test_inputs_need_not_be_contiguous(in_torch):
    module = in_torch.MultiHeadAttention(8, 2)
    x = torch.randn(8, 5, 2).permute(2, 1, 0)
    assert not x.is_contiguous()
    torch.testing.assert_close(module(x), module(x.contiguous()))


@pytest.mark.parametrize(
    "build", [lambda s: s.SelfAttention(8), lambda s: s.MultiHeadAttention(8, 2)]
)
def test_parameters_lists_the_four_matrices_and_nothing_else(in_torch, build):
    names = [name for name, _ in build(in_torch).named_parameters()]
    assert sorted(names) == ["W_k.weight", "W_o.weight", "W_q.weight", "W_v.weight"]


def test_shapes_come_out_right_without_any_numbers_at_all(in_torch):
    module = in_torch.MultiHeadAttention(8, 2).to("meta")
    assert module(torch.empty(2, 5, 8, device="meta")).shape == (2, 5, 8)
