"""`attnpack.check()` in a notebook: cells run by the shell of IPython, without a kernel."""

from __future__ import annotations

import atexit
import sys
from typing import TYPE_CHECKING, Any

import html5lib
import pytest

from attnpack import pack

if TYPE_CHECKING:
    from pathlib import Path

    from attnpack.live import Checked

# A kernel would bring its own sockets and threads; this is the part of it that runs cells.
interactive = pytest.importorskip("IPython.core.interactiveshell", exc_type=ImportError)

IMPORTS = "import numpy as np\nfrom math import sqrt\n"
SOFTMAX = """\
def stable(scores):
    return scores - scores.max(axis=-1, keepdims=True)

def softmax(scores):
    e = np.exp(stable(scores))
    return e / e.sum(axis=-1, keepdims=True)
"""
OVER_THE_QUERIES = SOFTMAX.replace("e.sum(axis=-1", "e.sum(axis=-2")
SCORES = "def attention_scores(Q, K, d_k):\n    return Q @ K.swapaxes(-1, -2) / sqrt(d_k)\n"
UNSCALED = "def attention_scores(Q, K, d_k):\n    return Q @ K.swapaxes(-1, -2)\n"


class Notebook:
    """Cells, executed one after the other by the shell that runs in a kernel."""

    def __init__(self) -> None:
        self._shell = interactive.InteractiveShell()

    def run(self, *cells: str) -> Any:
        """The value of the last cell."""
        for cell in cells:
            result = self._shell.run_cell(cell, store_history=True, silent=False)
            result.raise_error()
        return result.result

    def attempt(self, cell: str) -> None:
        """Run a cell that raises."""
        assert not self._shell.run_cell(cell, store_history=True).success

    def close(self) -> None:
        self._shell.restore_sys_module_state()
        atexit.unregister(self._shell.atexit_operations)
        self._shell.atexit_operations()


@pytest.fixture
def notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.chdir(tmp_path)
    opened = Notebook()
    yield opened
    opened.close()


def statuses(checked: Checked) -> dict[str, str]:
    assert checked.report is not None, checked.text
    return {exercise.name: exercise.status.value for exercise in checked.report.exercises}


def test_what_the_cells_define_is_checked(notebook: Notebook) -> None:
    checked = notebook.run(IMPORTS, SOFTMAX, UNSCALED, "import attnpack\nattnpack.check()")
    assert statuses(checked) == {"softmax": "passed", "attention_scores": "failed"}
    assert not checked.passed
    assert "scale-missing" in checked.text


def test_one_exercise_can_be_asked_for_by_itself_or_by_its_name(notebook: Notebook) -> None:
    notebook.run(IMPORTS, SOFTMAX, UNSCALED, "import attnpack")
    for asked in ("softmax", "'softmax'"):
        checked = notebook.run(f"attnpack.check({asked}, seed=1)")
        assert statuses(checked) == {"softmax": "passed"}
        assert checked.passed


def test_a_bug_is_placed_in_its_cell(notebook: Notebook) -> None:
    checked = notebook.run(IMPORTS, "x = 1", OVER_THE_QUERIES, "import attnpack\nattnpack.check()")
    for shown in (checked.text, checked._repr_html_()):
        assert "softmax-over-queries" in shown
        assert "cell 3, line 6" in shown


def test_the_cell_that_was_run_last_counts(notebook: Notebook) -> None:
    checked = notebook.run(
        IMPORTS, OVER_THE_QUERIES, SOFTMAX, "import attnpack\nattnpack.check(softmax)"
    )
    assert checked.passed
    notebook.run(OVER_THE_QUERIES)
    assert not notebook.run("attnpack.check(softmax)").passed


def test_what_the_exercises_do_not_use_stays_out(notebook: Notebook) -> None:
    notebook.run(IMPORTS, "import os\nos.environ['MARK'] = '1'", "%cd .\nunused = sorted([3, 1])")
    notebook.attempt("def softmax(scores): return scores\nraise SystemError")
    notebook.attempt("not python at all")
    checked = notebook.run(SOFTMAX, "import attnpack\nattnpack.check()")
    assert checked.passed


def test_names_made_by_a_startup_file_are_made_again(notebook: Notebook) -> None:
    import numpy as np

    notebook._shell.push({"np": np, "power": 1.0})
    cell = SOFTMAX.replace("np.exp(stable(scores))", "np.exp(stable(scores)) ** power")
    assert notebook.run(cell, "import attnpack\nattnpack.check()").passed


def test_a_value_that_no_cell_defines_is_told(notebook: Notebook) -> None:
    notebook._shell.push({"table": {"a": 1}})
    cell = SOFTMAX.replace("return e", "table['a']\n    return e")
    checked = notebook.run(IMPORTS, cell, "import attnpack\nattnpack.check()")
    assert statuses(checked) == {"softmax": "error"}
    assert "table is used, but no cell of this session defines it" in checked.text


def test_a_module_beside_the_notebook_goes_along(
    notebook: Notebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "my_softmax_steps.py").write_text(IMPORTS + SOFTMAX, encoding="utf-8")
    checked = notebook.run(
        "from my_softmax_steps import softmax", "import attnpack\nattnpack.check()"
    )
    sys.modules.pop("my_softmax_steps")
    assert checked.passed


def test_classes_and_star_imports_and_decorators_are_found(notebook: Notebook) -> None:
    reference = pack.load().reference_path("numpy", "self_attention.py").read_text(encoding="utf-8")
    own = [line for line in reference.splitlines() if not line.startswith("from ")]
    needed = [
        pack.load().reference_path("numpy", f"{name}.py").read_text(encoding="utf-8")
        for name in ("softmax", "attention_scores", "causal_mask", "apply_attention")
    ]
    sdpa = pack.load().reference_path("numpy", "scaled_dot_product_attention.py").read_text("utf-8")
    sdpa = "\n".join(line for line in sdpa.splitlines() if not line.startswith("from "))
    checked = notebook.run(
        "from numpy import *",
        *needed,
        sdpa,
        "def kept(cls):\n    return cls\n",
        "\n".join(own).replace("class SelfAttention", "@kept\nclass SelfAttention"),
        "import attnpack\nattnpack.check(SelfAttention)",
    )
    assert checked.passed, checked.text


def test_a_broken_earlier_exercise_is_stood_in_for(notebook: Notebook) -> None:
    texts = [
        pack.load().reference_path("numpy", f"{name}.py").read_text(encoding="utf-8")
        for name in ("attention_scores", "apply_attention", "scaled_dot_product_attention")
    ]
    cells = ["\n".join(x for x in t.splitlines() if not x.startswith("from ")) for t in texts]
    checked = notebook.run(IMPORTS, OVER_THE_QUERIES, *cells, "import attnpack\nattnpack.check()")
    assert statuses(checked)["softmax"] == "failed"
    assert statuses(checked)["scaled_dot_product_attention"] == "passed"
    assert "the reference stood in for softmax" in checked.text


def test_code_that_ends_the_process_ends_the_guest_only(notebook: Notebook) -> None:
    checked = notebook.run(
        "import os\ndef softmax(scores):\n    os._exit(0)", "import attnpack\nattnpack.check()"
    )
    assert statuses(checked) == {"softmax": "error"}


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("attnpack.check()", "Nothing to check yet: define softmax"),
        ("attnpack.check('causal_mask')", "causal_mask is not defined here yet"),
        ("attnpack.check(print)", "print is the name of no exercise"),
    ],
)
def test_where_nothing_can_be_checked_the_words_say_why(
    notebook: Notebook, call: str, said: str
) -> None:
    checked = notebook.run(f"import attnpack\n{call}")
    assert checked.report is None
    assert not checked.passed
    assert said in " ".join(repr(checked).split())
    assert said in checked._repr_html_()


def test_a_backend_that_does_not_exist_is_told(notebook: Notebook) -> None:
    checked = notebook.run(IMPORTS, SOFTMAX, "import attnpack\nattnpack.check(backend='jax')")
    assert "There is no backend 'jax'" in checked.text


def test_the_html_is_whole_and_escapes_what_the_learner_wrote(notebook: Notebook) -> None:
    evil = "<script>alert(1)</script>"
    cell = SOFTMAX.replace("return e /", f"print('{evil}'); raise ValueError('{evil}') #")
    checked = notebook.run(IMPORTS, cell, "import attnpack\nattnpack.check()")
    page = checked._repr_html_()
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    html5lib.HTMLParser(strict=True).parseFragment(page)
    assert "http" not in page.replace("https://arxiv.org", "")
    assert "prefers-color-scheme: dark" in page


def test_the_html_says_in_words_what_it_says_in_colours(notebook: Notebook) -> None:
    checked = notebook.run(IMPORTS, OVER_THE_QUERIES, SCORES, "import attnpack\nattnpack.check()")
    text = "".join(html5lib.parseFragment(checked._repr_html_()).itertext())
    assert "✗ failed" in text
    assert "✓ passed" in text
    assert "what was expected" in text
    assert "1 of 2 passed" in text


def test_a_kernel_that_asks_for_colours_gets_plain_text_and_one_output(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    checked = notebook.run(IMPORTS, OVER_THE_QUERIES, "import attnpack\nattnpack.check()")
    assert "softmax-over-queries" in checked.text
    assert "\x1b" not in checked.text


@pytest.mark.parametrize("magic", ["%%time", "%%capture", "%%prun -q", "%%time\n%%capture"])
def test_what_a_cell_with_a_magic_defines_is_checked(notebook: Notebook, magic: str) -> None:
    checked = notebook.run(IMPORTS, f"{magic}\n{UNSCALED}", "import attnpack\nattnpack.check()")
    assert statuses(checked) == {"attention_scores": "failed"}
    assert f"cell 2, line {2 + len(magic.splitlines())}" in checked.text


def test_a_cell_that_another_program_runs_defines_nothing(notebook: Notebook) -> None:
    notebook.run(IMPORTS, SCORES, f"%%writefile scores.py\n{UNSCALED}")
    checked = notebook.run("import attnpack\nattnpack.check()")
    assert statuses(checked) == {"attention_scores": "passed"}


MINE = SOFTMAX.replace("softmax", "mine")
LAMBDA = "softmax = lambda s: (\n  np.exp(stable(s)) / np.exp(stable(s)).sum(-1, keepdims=True))\n"


@pytest.mark.parametrize(
    "cells",
    [
        [SOFTMAX, LAMBDA],
        [MINE, "softmax = mine"],
        [f"{MINE}softmax = other = mine"],
        [MINE, "from functools import partial\nsoftmax = partial(mine)"],
    ],
    ids=["lambda", "alias", "alias in the same cell", "partial"],
)
@pytest.mark.parametrize("call", ["check()", "check(softmax)", "check('softmax')"])
def test_other_ways_of_defining_are_checked(
    notebook: Notebook, cells: list[str], call: str
) -> None:
    checked = notebook.run(IMPORTS, *cells, f"import attnpack\nattnpack.{call}")
    assert statuses(checked) == {"softmax": "passed"}


def test_an_alias_can_be_given_by_the_name_it_was_defined_by(notebook: Notebook) -> None:
    notebook.run(IMPORTS, MINE, "softmax = mine")
    checked = notebook.run("import attnpack\nattnpack.check(mine)")
    assert statuses(checked) == {"softmax": "passed"}


def test_what_exec_defined_has_no_text(notebook: Notebook) -> None:
    notebook.run(IMPORTS, SOFTMAX, "exec('def softmax(s):\\n    return s')")
    checked = notebook.run("import attnpack\nattnpack.check()")
    assert checked.report is None
    assert "The text of softmax cannot be read" in checked.text
