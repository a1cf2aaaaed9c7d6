"""What is said of exceptions that say little by themselves, and which line is shown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from commands import attnpack, flat

from attnpack import pack

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "import numpy as np\n\n\ndef softmax(scores):\n"
UNREADABLE = {
    "open bracket": ("    e = np.exp(scores\n    return e\n", "a bracket or quote", 5),
    "merge": ("<<<<<<< HEAD\n    e = 1\n=======\n    e = 2\n>>>>>>> b\n", "merge conflict", 5),
    "curly quotes": ("    print(“hello”)\n    return scores\n", "Typographic quotation marks", 5),
    "invisible": ("    x = 1\u00a0\n    return scores\n", "invisible character", 5),
    "tabs": ("\tx = 1\n        return x\n", "tabs", 6),
    "indented": ("x = 1\n", "Line this line up", 5),
}


def panel(text: str) -> str:
    """A frame's text without the frame."""
    return flat(text.replace("│", " "))


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_file_that_cannot_be_read_is_shown_as_python_does_and_what_to_do(
    here: Path, name: str
) -> None:
    body, said, line = UNREADABLE[name]
    (here / "softmax.py").write_text(HEAD + body, encoding="utf-8")
    output = attnpack("check", "softmax").output
    assert said in panel(output)
    assert f"softmax.py:{line}" in output
    assert "^" in output
    assert "attnpack debug" not in output


def test_the_mark_is_where_python_puts_it(here: Path) -> None:
    (here / "softmax.py").write_text(f"{HEAD}    e = np.exp(scores\n    return e\n")
    rows = attnpack("check", "softmax").output.splitlines()
    at = next(n for n, row in enumerate(rows) if "e = np.exp(scores" in row)
    assert rows[at + 1].index("^") == rows[at].index("(")


def test_a_folder_of_ones_own_is_named_with_the_way_out(here: Path) -> None:
    (here / "parts").mkdir()
    (here / "parts" / "core.py").write_text("def f(x):\n    return x\n")
    (here / "softmax.py").write_text(f"from parts.core import f\n{HEAD}    return f(scores)\n")
    said = panel(attnpack("check", "softmax").output)
    assert "Move parts/core.py up beside them, and import from core." in said


def test_a_module_that_is_misspelt_is_answered_with_the_one_that_is_meant(here: Path) -> None:
    (here / "softmax.py").write_text("def softmax(scores):\n    import nunpy\n    return scores\n")
    assert "no module nunpy. Did you mean numpy?" in panel(attnpack("check", "softmax").output)


def test_an_error_while_loading_is_not_sent_to_the_debugger(here: Path) -> None:
    (here / "softmax.py").write_text(f"{HEAD}    return scores\n\n\nsoftmax(None)[0]\n")
    said = panel(attnpack("check", "softmax").output)
    assert "attnpack debug" not in said or "loading the file" not in said


@pytest.mark.parametrize("name", ["soft_max", "Softmax", "softmx"])
def test_a_name_like_the_missing_one_is_seen(here: Path, name: str) -> None:
    (here / "softmax.py").write_text(f"def {name}(scores):\n    return scores\n")
    said = flat(attnpack("check", "softmax").output)
    assert f"I see {name} (softmax.py:1): did you mean softmax?" in said
    told = json.loads(attnpack("check", "softmax", "--json").output)
    assert told["exercises"][0]["status"] == "not_started"
    assert name in told["exercises"][0]["checks"][0]["message"]


def test_another_exercise_is_not_taken_for_a_misspelt_one(here: Path) -> None:
    (here / "softmax.py").write_text("def attention_scores(Q, K, d_k):\n    return Q\n")
    assert "softmax is not written yet" in attnpack("check", "softmax").output


def reference(file: str) -> str:
    return pack.load().reference_path("numpy", file).read_text(encoding="utf-8")


def line_of(text: str, start: str) -> int:
    return next(n for n, line in enumerate(text.splitlines(), 1) if line.strip().startswith(start))


SELF = reference("self_attention.py")
ENTRANCES = {
    "no parameter": (
        "attention_scores",
        "# above\n\ndef attention_scores(Q, K):\n    return Q @ K.swapaxes(-1, -2)\n",
        "def attention_scores",
    ),
    "no self": ("SelfAttention", SELF.replace("forward(self, ", "forward("), "def forward"),
    "no constructor": ("SelfAttention", SELF.replace("__init__", "__int__"), "class"),
    "no width": (
        "SelfAttention",
        SELF.replace("__init__(self, d_model)", "__init__(self, d_model, h)"),
        "def __init__",
    ),
    "no matrix": ("SelfAttention", SELF.replace("self.W_o = ", "W_o = "), "def __init__"),
    "breakpoint": (
        "softmax",
        f"{HEAD}    x = scores\n    breakpoint()\n    return x\n",
        "breakpoint()",
    ),
}


@pytest.mark.parametrize("name", ENTRANCES)
def test_what_never_got_into_the_code_is_shown_at_its_definition(here: Path, name: str) -> None:
    exercise, text, start = ENTRANCES[name]
    file = pack.load().exercise(exercise).file
    (here / file).write_text(text, encoding="utf-8")
    told = json.loads(attnpack("check", exercise, "--json").output)["exercises"][0]
    failing = next(check for check in told["checks"] if check["bugs"])
    assert failing["bugs"][0]["line"] == line_of(text, start), failing


def test_a_breakpoint_that_was_left_in_says_so(here: Path) -> None:
    (here / "softmax.py").write_text(ENTRANCES["breakpoint"][1])
    said = panel(attnpack("check", "softmax").output)
    assert "Take it out; or use it: attnpack debug softmax" in said
