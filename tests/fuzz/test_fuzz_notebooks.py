"""Notebooks of any JSON and any bytes; of odd cells nothing is lost that is Python."""

from __future__ import annotations

import ast
import json
import warnings
from typing import TYPE_CHECKING, Any

import pytest
from effort import examples
from hypothesis import example, given
from hypothesis import strategies as st
from mutating import mutated

from attnpack.submission import SubmissionError, load, notebook

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def no_word_of_pythons_own() -> None:
    """A text with a bad escape is warned about where it runs, which is not here."""
    warnings.simplefilter("ignore", SyntaxWarning)
    warnings.simplefilter("ignore", DeprecationWarning)


def written(*sources: Any, **others: Any) -> bytes:
    cells = [{"cell_type": "code", "metadata": {}, "source": source} for source in sources]
    return json.dumps({"cells": cells, "nbformat": 4, "metadata": {}, **others}).encode()


def read(data: bytes) -> notebook.Notebook | None:
    try:
        found = notebook.read(data)
    except notebook.NotebookError:
        return None
    lines = found.text.count("\n") + 1
    first_lines = [cell.first_line for cell in found.cells]
    assert first_lines == sorted(first_lines)
    assert all(1 <= line <= lines for line in first_lines)
    return found


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["cells", "cell_type", "source", "input", "worksheets", "x"]), inner
        )
    ),
    max_leaves=20,
)
cells = st.fixed_dictionaries(
    {},
    optional={
        "cell_type": st.sampled_from(["code", "markdown", "raw"]) | json_values,
        "source": st.text(max_size=30) | st.lists(st.text(max_size=12), max_size=4) | json_values,
        "input": st.text(max_size=30) | json_values,
    },
)
RIGHT = written(
    "import numpy as np\n%matplotlib inline\n", ["def softmax(scores):\n", "    return scores\n"]
)


@examples(300)
@given(st.binary(max_size=100) | mutated(RIGHT) | json_values.map(lambda v: json.dumps(v).encode()))
@example(b"[" * 100_000)
@example(b'{"cells":' * 50_000)
@example(b'{"cells": "cells"}')
@example(b'{"cells": [null]}')
@example(b'{"cells": {"cell_type": "code"}}')
@example(b'{"worksheets": [[]]}')
@example(b'{"cells": [{"cell_type": "code", "source": 1e999}]}')
@example(b'{"cells": ' + b"9" * 5000 + b"}")
def test_any_bytes_and_any_json_are_a_notebook_or_refused(data: bytes) -> None:
    read(data)


@examples(200)
@given(st.lists(cells, max_size=4), st.booleans())
def test_cells_of_any_form_are_a_notebook_or_refused(drawn: list[Any], old: bool) -> None:
    whole = {"worksheets": [{"cells": drawn}]} if old else {"cells": drawn}
    read(json.dumps(whole).encode())


lines = st.sampled_from([
    "x = 1", "%matplotlib inline", "!ls", "softmax?", "?softmax", "np.exp??", "y = %sql select",
    "files = !ls", "def f():", "    return 1", "print(x)", "x = e / e.sum()  # right?", "# why?",
    "import numpy as np; print(np.pi)", "print(x); y = 2", "x", "x;", "'''", "a = (b", " % c)",
    "f(", "1)", "class A: pass", "@wraps", "%%time", "", "\f", "z = 'a\u2028b'  # \x85?", "\\",
    "if x: y = 1", "else: print(x)", "for i in x: f(i)", "await f()", "x = '\ud800'", "\tz = 1",
    "a\r", "del x", "get_ipython().run_line_magic('x', '')", "x = 7 %\\", "  %timeit f()", "\0",
])  # fmt: skip


@examples(400)
@given(st.lists(lines, max_size=7).map("\n".join))
def test_a_cell_that_is_python_is_kept_as_it_is(source: str) -> None:
    found = read(written(source))
    assert found is not None
    assert len(found.broken) <= 1
    try:
        before = ast.parse(source)
    except (SyntaxError, ValueError):
        ast.parse(found.text)
        return
    assert _placed(ast.parse(found.text)) == _placed(before)


def _placed(tree: ast.Module) -> list[tuple[int, str]]:
    return [(s.lineno, ast.dump(s)) for s in tree.body]


@pytest.mark.parametrize("source", ["-" * 100_000, "not " * 20_000, "x = = 1"])
def test_a_cell_that_does_not_parse_stands_beside_the_others(source: str) -> None:
    found = read(written("x = 1", source, "y = 2"))
    assert found is not None
    assert found.text == "x = 1\n\n\n\ny = 2\n\n"
    assert [broken.text for broken in found.broken] == [f"\n\n{source}\n"]


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("import numpy as np; print(np.pi)", "import numpy as np; print(np.pi)"),
        ("x = 1  # right?", "x = 1  # right?"),
        ("x = (7\n  % 4)", "x = (7\n  % 4)"),
        ("%matplotlib inline\nx = 1  # right?", "\nx = 1  # right?"),
        ("s = 'a\u2028b'\n!ls", "s = 'a\u2028b'\n"),
        ("softmax??\nnp.exp?\nx = 1", "\n\nx = 1"),
        ("x = 1\r\n%ls\r\ny = 2\r\n", "x = 1\n\ny = 2"),
        ("%%time\nx = 1", "\nx = 1"),
        ("\n%%capture out\n%%time\nx = 1", "\n\n\nx = 1"),
        ("!pip install a \\\n    b\nx = 1", "\n\nx = 1"),
        ("if x:\n    !pip install a\ny = 1", "if x:\n    pass\ny = 1"),
        ("if x:\n\t%ls \\\n\tb\ny = 1", "if x:\n\tpass\n\ny = 1"),
        ("t = '''\n%not a magic\n'''\n%ls", "t = '''\n%not a magic\n'''\n"),
        ("x = (7  # (\n  % 4)\n%ls", "x = (7  # (\n  % 4)\n"),
        ("x = 7 \\\n  % 4\n%ls", "x = 7 \\\n  % 4\n"),
    ],
)
def test_what_is_left_of_a_cell(source: str, kept: str) -> None:
    found = read(written(source))
    assert found is not None
    assert found.text == f"{kept}\n\n"


@examples(60)
@given(st.binary(max_size=60) | mutated(RIGHT) | st.lists(lines).map("\n".join).map(written))
@example(written("def softmax(scores):\n    return scores\n" + "-" * 100_000))
@example(written("softmax = '\ud800'"))
def test_a_file_of_any_bytes_is_a_submission_or_refused(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path: Path = tmp_path_factory.mktemp("notebooks") / "attention.ipynb"
    path.write_bytes(data)
    try:
        found = load(path)
    except SubmissionError as refusal:
        assert str(path) in str(refusal)  # noqa: PT017
        return
    for exercise in found.entries:
        found.started(exercise)
        assert found.place(path.name, found.line(exercise) or 1)
    assert path.read_bytes() == data
