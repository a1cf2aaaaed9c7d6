"""Source files of any text or bytes: a submission, or a sentence that says what to do."""

from __future__ import annotations

import ast
import io
import time
import tokenize
import warnings
from typing import TYPE_CHECKING

import pytest
from effort import examples
from hypothesis import example, given
from hypothesis import strategies as st
from mutating import mutated

from attnpack import pack
from attnpack.guest.definitions import definitions
from attnpack.submission import Submission, SubmissionError, load
from attnpack.submission.source_text import decode
from attnpack.submission.syntax import parsed

if TYPE_CHECKING:
    from pathlib import Path

STUB = (pack.ROOT / "exercises" / "numpy" / "softmax.py").read_bytes()
SOLUTION = (pack.ROOT / "reference" / "numpy" / "self_attention.py").read_bytes()

statements = st.sampled_from([
    "def softmax(scores):\n    pass\n", "async def softmax(s): ...\n", "softmax = lambda s: s\n",
    "softmax: object = 1\n", "softmax: object\n", "import numpy as softmax\n", "from m import *\n",
    "class SelfAttention:\n    def forward(self, x):\n        return x\n", "a, (softmax, *b) = c\n",
    "if True:\n    from a import softmax\nelse:\n    import softmax\n", "x = 1; softmax = x\n",
    "try:\n    pass\nexcept* E:\n    softmax = 1\n", "with a as softmax: pass\n", "\ufeff", "\0",
    "match a:\n    case softmax:\n        pass\n", "import torch\n", "import attnpack.value\n",
    "def softmax(scores):\n    raise NotImplementedError('\\d')\n", "# coding: latin-1\n", "\f",
    "del softmax\n", "global softmax\n", "softmax += 1\n", "@a\n@b\ndef softmax(x): ...\n", "\r",
    "for softmax in a:\n    pass\n", "    indented\n", "\tx\n", "'''", "((((", "\\\n", "'\ud800'\n",
])  # fmt: skip
texts = st.lists(statements | st.text(max_size=10), max_size=6).map("".join)
DEEP = {
    "minuses": "-" * 100_000,
    "nots": "not " * 20_000,
    "brackets": "(" * 150 + ")" * 150,
    "open brackets": "[" * 5_000,
    "attributes": "a" + ".b" * 5_000,
    "a sum": "x = " + " + ".join("1" * 10_000),
    "a chain of elif": "if a:\n pass\n" + "elif a:\n softmax = 1\n" * 3_000,
    "a chain of elif that parses": "if a:\n pass\n" + "elif a:\n softmax = 1\n" * 700,
    "blocks in blocks": "".join(" " * at + "if a:\n" for at in range(95)) + " " * 95 + "softmax=1",
    "one long line": "softmax = '" + "x" * 500_000 + "'",
    "lambdas": "softmax = " + "lambda: " * 3_000 + "1",
}


@pytest.fixture(autouse=True)
def no_word_of_pythons_own() -> None:
    """A text with a bad escape is warned about where it runs, which is not here."""
    warnings.simplefilter("ignore", SyntaxWarning)
    warnings.simplefilter("ignore", DeprecationWarning)


def read(path: Path) -> Submission | None:
    """The submission, asked all that one is asked; None where it was refused."""
    began = time.process_time()
    try:
        found = load(path)
    except SubmissionError as refusal:
        words = str(refusal)
        found = None
    else:
        words = str(path)
        for exercise in pack.load().chapters[0].exercises:
            found.started(exercise.name)
            line = found.line(exercise.name)
            assert line is None or 1 <= line <= found.sources[path.name].count("\n") + 1
            assert found.place(path.name, line or 1)
        assert found.backend in ("numpy", "torch", "value")
    assert str(path) in words
    assert time.process_time() - began < 10.0
    return found


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sources")


@examples(200)
@given(
    st.binary(max_size=200)
    | mutated(STUB)
    | mutated(SOLUTION)
    | texts.map(lambda text: text.encode("utf-8", "surrogatepass"))
    | texts.map(lambda text: text.encode("utf-16", "surrogatepass"))
)
@example(b"\xef\xbb\xbfdef softmax(s): ...")
@example(b"\xef\xbb\xbf# coding: latin-1\nsoftmax = 1")
@example(b"# coding: rot13\nsoftmax = 1")
@example(b"# coding: undefined\nsoftmax = 1")
@example(b"# coding: unicode_escape\nsoftmax = '\\\\ud800'")
@example(b"\xff\xfe\x00")
def test_a_file_of_any_bytes_is_a_submission_or_refused_and_left_as_it_was(
    place: Path, data: bytes
) -> None:
    path = place / "attention.py"
    path.write_bytes(data)
    found = read(path)
    assert path.read_bytes() == data
    if found:
        assert set(found.sources) == {"attention.py"}


@pytest.mark.parametrize("name", sorted(DEEP))
def test_a_deep_or_long_text_is_a_submission_or_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "attention.py"
    path.write_text(DEEP[name], encoding="utf-8")
    read(path)


def test_a_name_bound_at_the_end_of_a_long_chain_of_elif_is_found(tmp_path: Path) -> None:
    path = tmp_path / "attention.py"
    path.write_text(DEEP["a chain of elif that parses"] + "else:\n softmax = 2\n")
    found = read(path)
    assert found is not None
    assert found.started("softmax")


codings = st.sampled_from([
    "utf-8", "utf-8-sig", "latin-1", "ascii", "cp1252", "utf-7", "utf-16", "utf-32", "mbcs", "oem",
    "rot13", "hex", "base64", "bz2", "zlib", "uu", "quopri", "undefined", "idna", "punycode",
    "unicode_escape", "raw_unicode_escape", "shift_jis", "iso2022_jp", "hz", "cp037", "nonsense",
    "utf8", "UTF_8", "latin-1-unix", "", ".", "-", "big5", "charmap", "string_escape",
])  # fmt: skip


@examples(150)
@given(codings, st.binary(max_size=100), st.booleans())
def test_any_coding_line_gives_a_text_and_what_python_reads_is_read_alike(
    coding: str, rest: bytes, second: bool
) -> None:
    data = b"\n" * second + b"# -*- coding: " + coding.encode() + b" -*-\n" + rest
    text, note = decode(data, "a.py")
    assert "\r" not in text
    assert note is None or note.isprintable()
    if note is None and not coding.startswith(("utf-16", "utf-32")):
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        assert text == io.TextIOWrapper(io.BytesIO(data), encoding).read()


@pytest.mark.parametrize("coding", ["punycode", "idna", "utf-7", "unicode_escape", "hz"])
def test_no_coding_line_makes_a_file_slow_to_read(coding: str) -> None:
    data = f"# coding: {coding}\n".encode() + b"a" * 400_000 + b"-" + b"b" * 600_000
    began = time.process_time()
    decode(data, "a.py")
    assert time.process_time() - began < 10.0


@examples(200)
@given(texts)
def test_the_definitions_of_a_text_are_statements_of_it_in_order(text: str) -> None:
    tree = parsed(text)
    if tree is None:
        return
    assert isinstance(tree, ast.Module)
    for name, bound in definitions(tree).items():
        assert name
        assert [s.lineno for s in bound] == sorted(s.lineno for s in bound)


@examples(60)
@given(st.dictionaries(
    st.sampled_from(["softmax.py", "causal_mask.py", "numpy.py", "x.py", "test_x.py", "é.py"]),
    st.binary(max_size=60) | texts.map(lambda t: t.encode("utf-8", "replace")) | mutated(STUB),
))  # fmt: skip
def test_a_folder_of_any_bytes_is_a_submission_or_refused(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, bytes]
) -> None:
    folder = tmp_path_factory.mktemp("folder")
    for name, data in files.items():
        (folder / name).write_bytes(data)
    try:
        found = load(folder)
    except SubmissionError as refusal:
        assert "attnpack init" in str(refusal)  # noqa: PT017
        return
    assert "numpy.py" not in found.sources
    for exercise, file in found.entries.items():
        assert file in files
        found.started(exercise)
