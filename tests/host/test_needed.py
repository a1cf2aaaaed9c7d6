"""Of a file only what the exercises need is run, whatever else stands in it."""

from __future__ import annotations

import pytest

from attnpack.submission.needed import needed, only, reduced, statements

DEFINED = "def softmax(scores):\n    return np.exp(scores) / LENGTH\n"


def run_for(text: str, *names: str) -> str:
    """What is left of a text, without its blank lines."""
    left = only(text, needed(statements(text), names or ("softmax",)))
    assert left.count("\n") == text.count("\n")
    for number, line in enumerate(left.split("\n")):
        assert line in ("", text.split("\n")[number])
    return "\n".join(line for line in left.split("\n") if line)


@pytest.mark.parametrize(
    "statement",
    [
        "assert softmax(x).sum() == 1",
        "import pandas as pd",
        "from google.colab import drive",
        "drive.mount('/content')",
        "args = argparse.ArgumentParser().parse_args()",
        "get_ipython().run_line_magic('matplotlib', 'inline')",
        "plt.plot(softmax(x))",
        "print(LENGTH)",
        "x = np.random.randn(4, 4)",
        "for step in range(10**9):\n    loss = step",
        "if 'google.colab' in sys.modules:\n    import google.colab",
        "@pytest.mark.parametrize('x', [1])\ndef test_softmax(x):\n    assert softmax(x)",
        "class Data(torch.utils.data.Dataset):\n    pass",
        "softmax = softmax(x)",
        "np.random.seed(0)",
        "'''a text'''",
        "raise SystemExit",
    ],
)
def test_what_no_exercise_uses_is_not_run(statement: str) -> None:
    head = "import numpy as np\nLENGTH = 4\n"
    assert run_for(f"{head}{DEFINED}{statement}\n") == f"{head}{DEFINED}".strip()
    assert run_for(f"{statement}\n{head}{DEFINED}") == f"{head}{DEFINED}".strip()


@pytest.mark.parametrize(
    "statement",
    [
        "LENGTH = 4",
        "LENGTH: int = 4",
        "LENGTH, other = 4, 5",
        "LENGTH = 1\nLENGTH += 3",
        "for LENGTH in range(5):\n    pass",
        "with open('x') as LENGTH:\n    pass",
        "if True:\n    LENGTH = 4\nelse:\n    LENGTH = 5",
        "try:\n    import LENGTH\nexcept ImportError:\n    LENGTH = 4",
        "print(LENGTH := 4)",
        "from lengths import *",
        "LENGTH = []\nLENGTH.append(4)",
        "LENGTH = {}\nfor k in range(3):\n    LENGTH[k] = 1",
        "LENGTH = {}\ndel LENGTH[0]",
        "LENGTH = [3]\nfill(LENGTH)",
        "def set_length():\n    global LENGTH\n    LENGTH = 4\nset_length()",
        "globals()['LENGTH'] = 4",
        "exec('LENGTH = 4')",
        "def length():\n    return 4\nLENGTH = length()",
        "class LENGTH:\n    pass\nLENGTH.half = 2",
        "class LENGTH:\n    pass\nsetattr(LENGTH, 'half', 2)",
    ],
)
def test_what_an_exercise_uses_is_run(statement: str) -> None:
    text = f"import numpy as np\n{statement}\n{DEFINED}".strip()
    assert run_for(text) == text


def test_names_of_a_functions_own_are_not_taken_for_others() -> None:
    text = "scores = load('scores.npy')\nx = 1\ndef softmax(scores):\n    x = scores\n    return x"
    assert run_for(text) == text.split("\n", 2)[2]


def test_what_decorators_and_defaults_use_is_run() -> None:
    text = (
        "def twice(f):\n    return f\nN = 3\n@twice\ndef softmax(scores, n=N):\n    return scores"
    )
    assert run_for(text) == text


def test_a_statement_that_shares_a_line_stays() -> None:
    text = "N = 3; print(N)\ndef softmax(scores):\n    return N"
    assert run_for(text) == text


def test_where_code_reaches_names_by_text_all_that_binds_is_run() -> None:
    text = "N = 3\ndef softmax(scores):\n    return globals()['N']\nprint(N)"
    assert run_for(text) == text.removesuffix("\nprint(N)")


def test_an_import_from_the_future_is_always_run() -> None:
    text = "from __future__ import annotations\ndef softmax(scores):\n    return scores"
    assert run_for(text) == text


def test_a_file_keeps_what_others_import_from_it() -> None:
    sources = {
        "softmax.py": "def softmax(s): ...\ndef stable(s): ...\ndef other(s): ...\nprint(1)\n",
        "attention_scores.py": "from softmax import softmax, stable\n"
        "def attention_scores(Q): stable(Q)\n",
        "steps.py": "N = 1\nprint(N)\n",
        "causal_mask.py": "import steps\ndef causal_mask(n): return steps.N\n",
        "alone.py": "print(2)\n",
    }
    entries = {name: f"{name}.py" for name in ("softmax", "attention_scores", "causal_mask")}
    found = reduced(sources, entries)
    assert found.sources["softmax.py"] == "def softmax(s): ...\ndef stable(s): ...\n\n\n"
    assert found.sources["steps.py"] == "N = 1\n\n"
    assert found.sources["alone.py"] == "print(2)\n"
    assert found.left_out["softmax.py"] == (range(4, 5),)


@pytest.mark.parametrize("text", ["def softmax(:", "x = " + "-" * 100_000 + "1", "\0"])
def test_what_is_no_python_stays_as_it_is(text: str) -> None:
    assert reduced({"a.py": text}, {"softmax": "a.py"}).sources == {"a.py": text}


def test_a_long_chain_of_names_takes_no_time_that_grows_with_its_square() -> None:
    lines = [f"a{at} = a{at + 1}" for at in range(20_000)]
    text = "\n".join([*lines, "a20000 = 0", "def softmax(s): return a0"])
    assert len(needed(statements(text), ["softmax"])) == 20_002


@pytest.mark.parametrize(
    ("taking", "use"),
    [("from parts import *", "softmax"), ("import parts", "parts.softmax")],
)
def test_who_imports_all_of_a_file_needs_what_is_mentioned_where_it_is_needed(
    taking: str, use: str
) -> None:
    loop = "step = 0\nwhile step >= 0:\n    step += 1\n"
    own = "def softmax(s):\n    return half(s)\ndef half(s):\n    return s / 2\n"
    parts = f"import torch\nx = torch.zeros(3)\n{own}{loop}"
    model = f"{taking}\ndef attend(Q):\n    return {use}(Q)\n{loop}print(x)\n"
    test = f"{taking}\nassert step and torch\n"
    found = reduced(
        {"parts.py": parts, "model.py": model, "test_it.py": test}, {"attend": "model.py"}
    )
    assert found.sources["parts.py"].strip("\n") == own.strip("\n")
    assert "while" not in found.sources["model.py"]


def test_names_that_are_passed_on_or_never_spelt_are_kept() -> None:
    parts = "def softmax(s):\n    return s\nx = 3\n"
    model = "import hw\ndef attend(Q):\n    return hw.softmax(Q)\n"
    package = {"hw/__init__.py": "from .parts import *\n", "hw/parts.py": parts, "model.py": model}
    assert "softmax" in reduced(package, {"attend": "model.py"}).sources["hw/parts.py"]
    model = "import parts\ndef attend(Q, name):\n    return getattr(parts, name)(Q)\n"
    found = reduced({"parts.py": parts, "model.py": model}, {"attend": "model.py"})
    assert found.sources["parts.py"] == parts
