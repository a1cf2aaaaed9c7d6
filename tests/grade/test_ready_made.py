"""Ready-made attention is found in the text, however it is reached, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from attnpack.grade.ready_made import hints

HEAD = (
    "import sys, threading\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n"
)
ROUND_ABOUT = {
    "under DisableTorchFunction": "with torch._C.DisableTorchFunction():\n"
    "    y = F.scaled_dot_product_attention(q, q, q)",
    "in a script": "@torch.jit.script\ndef f(q):\n"
    "    return torch.nn.functional.scaled_dot_product_attention(q, q, q)",
    "in a thread": "threading.Thread(target=lambda: F.scaled_dot_product_attention(q, q, q))",
    "with a cleared list": "sys._getframe().f_back.f_locals['called'].clear()",
    "out of a string": "exec("
    "compile('y = F.scaled_dot_product_attention(q, q, q)', '<r>', 'exec'))",
    "by its name": "getattr(F, 'scaled_dot_product_attention')(q, q, q)",
    "under another name": "from torch.nn.functional import scaled_dot_product_attention as g\ng(q)",
    "by assignment": "g = torch.nn.functional\ny = g.scaled_dot_product_attention(q, q, q)",
    "as a layer": "layer = nn.MultiheadAttention(4, 2)",
    "as an operator": "torch.ops.aten.scaled_dot_product_attention(q, q, q)",
    "under its inner name": "torch._scaled_dot_product_attention_math(q, q, q)",
}
OWN = {
    "the exercise itself": "def scaled_dot_product_attention(Q, K, V, mask=None):\n"
    "    return torch.softmax(Q @ K.mT, -1) @ V\n\n"
    "class MultiHeadAttention(nn.Module):\n"
    "    def forward(self, x):\n        return scaled_dot_product_attention(x, x, x)",
    "a module of the student's": "import attention\n"
    "y = attention.scaled_dot_product_attention(1, 2, 3)",
    "a word in a text": '"""Not F.scaled_dot_product_attention, but by hand."""\n'
    "print('scaled_dot_product_attention: ok')",
    "other layers": "layer = nn.Linear(3, 4)\ny = F.softmax(layer(x), dim=-1)",
}


def found(text: str) -> tuple[str, ...]:
    sources = {"attention.py": HEAD + text + "\n"}
    return hints(sources, lambda file, line: f"{file}, line {line}")


@pytest.mark.parametrize("text", ROUND_ABOUT.values(), ids=ROUND_ABOUT)
def test_it_is_found_however_it_is_reached(text: str) -> None:
    assert found(text)
    assert all("attention.py, line" in hint for hint in found(text))


@pytest.mark.parametrize("text", OWN.values(), ids=OWN)
def test_code_written_by_hand_is_not_flagged(text: str) -> None:
    assert found(text) == ()


def test_no_solution_and_no_right_variant_is_flagged() -> None:
    root = Path(__file__).parents[2]
    files = [*root.glob("reference/torch/*.py"), *root.glob("tests/**/right/**/*.py")]
    assert len(files) > 10
    for file in files:
        assert hints({file.name: file.read_text("utf-8")}, str.format) == (), file


def test_many_places_are_cut_with_their_number() -> None:
    many = found("\n".join(["y = nn.MultiheadAttention(4, 2)"] * 20))
    assert many[-1] == "and 14 more such places"
    assert len(many) == 7
