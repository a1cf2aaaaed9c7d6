from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from attnpack import pack, submission
from attnpack.errors import BadInputError
from attnpack.host.inprocess import run_in_process
from attnpack.look.commands import Subject, shaping
from attnpack.look.shapes import sheet
from attnpack.look.shapes.sheet import Mark
from attnpack.look.shapes.table import CLASSES, FUNCTIONS, markdown, symbol, table
from attnpack.look.subject.learner import AttentionFailedError
from attnpack.report.model import Report
from attnpack.terms import Backend
from attnpack.workspace import Workspace
from attnpack.workspace.progress import State

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from attnpack.look.shapes.table import Table
    from attnpack.submission import Submission

SOLUTION = (pack.ROOT / "SHAPES.md").read_text(encoding="utf-8")
BLANK = (pack.ROOT / "exercises" / "SHAPES.md").read_text(encoding="utf-8")


def traced(cls: str, backend: Backend = Backend.NUMPY) -> Table:
    code = submission.load(pack.ROOT / "reference" / backend.value)
    return table(cls, code, backend, run_in_process)


def shown(backend: Backend, *, as_markdown: bool = False) -> str:
    code = submission.load(pack.ROOT / "reference" / backend.value)
    stream = io.StringIO()
    subject = Subject(code, backend, lambda: Report("", "", "", "", "", 0), lambda _: None)
    assert shaping.shapes(subject, Console(file=stream, width=100), as_markdown=as_markdown)
    return stream.getvalue()


def workspace(root: Path) -> Workspace:
    return Workspace(root, State(pack="p", backend="numpy"), pack.load())


@pytest.mark.parametrize(
    ("size", "name"),
    [
        (2, "B"),
        (5, "T"),
        (3, "h"),
        (4, "d_k"),
        (12, "D"),
        (32, "F"),
        (1, "1"),
        (36, "3*D"),
        (10, "B*T"),
        (97, "97"),
    ],
)
def test_a_size_tells_its_symbol(size: int, name: str) -> None:
    assert symbol(size) == name


@pytest.mark.parametrize("backend", list(Backend))
@pytest.mark.parametrize("cls", list(CLASSES))
def test_the_forward_pass_ends_in_the_shape_of_the_input(cls: str, backend: Backend) -> None:
    if backend is Backend.TORCH:
        pytest.importorskip("torch")
    found = traced(cls, backend)
    if not found.cut_off:
        assert found.rows[-1].symbols == ("(T, D)" if backend is Backend.VALUE else "(B, T, D)")
    assert all(row.place.split(":")[0].endswith(".py") for row in found.rows)


@pytest.mark.parametrize("backend", [Backend.NUMPY, Backend.TORCH])
def test_the_parts_of_a_block_are_followed_from_their_arguments(backend: Backend) -> None:
    if backend is Backend.TORCH:
        pytest.importorskip("torch")
    assert {row.symbols for row in traced("layer_norm", backend).rows} == {"(B, T, 1)", "(B, T, D)"}
    fed = traced("feed_forward", backend).rows
    assert {"(B, T, F)", "(B, T, D)"} == {row.symbols for row in fed}
    assert fed[-1].symbols == "(B, T, D)"


def test_hidden_features_are_said_where_there_are_some() -> None:
    assert "`F` = 32" in markdown([traced("feed_forward")])
    assert "`F`" not in markdown([traced("SelfAttention")])


def test_every_shape_of_the_page_is_in_the_trace_of_the_reference() -> None:
    seen = {row.symbols for row in traced("MultiHeadAttention").rows}
    assert {"(B, T, h, d_k)", "(B, h, T, d_k)", "(B, h, d_k, T)", "(B, h, T, T)"} <= seen


def test_a_line_in_a_loop_is_one_row() -> None:
    rows = traced("MultiHeadAttention", Backend.VALUE).rows
    assert len(rows) == len(set(rows))


def test_code_that_raises_is_told(written: Callable[[str, str], Submission]) -> None:
    code = written("causal_mask.py", "def causal_mask(n):\n    raise ValueError('no')\n")
    with pytest.raises(AttentionFailedError, match=r"ValueError: no \(causal_mask\.py, line 2"):
        table("MultiHeadAttention", code, Backend.NUMPY, run_in_process)


def test_the_table_names_both_classes_and_the_parts_of_a_block() -> None:
    text = shown(Backend.NUMPY)
    assert all(name in text for name in (*CLASSES, *FUNCTIONS))
    assert "multi_head_attention.py:" in text


def test_markdown_is_a_table_that_the_verifier_cannot_mistake_for_a_sheet(
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown(Backend.NUMPY, as_markdown=True)
    text = capsys.readouterr().out
    assert "| line | tensor | symbols | numbers |" in text
    assert text == markdown([traced(name) for name in (*CLASSES, *FUNCTIONS)])


def test_the_solution_marks_itself_right_everywhere() -> None:
    marks = {one.mark for one in sheet.mark(SOLUTION, SOLUTION, {})}
    assert marks == {Mark.RIGHT}


def test_the_blank_sheet_is_empty_everywhere_and_has_every_row() -> None:
    marked = sheet.mark(BLANK, SOLUTION, {})
    assert {one.mark for one in marked} == {Mark.EMPTY}
    assert [c.key for c in sheet.cells(BLANK)] == [c.key for c in sheet.cells(SOLUTION)]


@pytest.mark.parametrize(
    "text", ["(B, T, D)", "B,T,D", "`B x T x D`", "[B T D]", "( B , T_q , d_model )", "B×T×D"]
)
def test_spelling_does_not_matter(text: str) -> None:
    assert sheet.axes(sheet.Cell("MultiHeadAttention", "x", "symbols", text)) == ("B", "T", "D")


def test_the_width_of_the_only_head_is_the_model_width() -> None:
    cell = sheet.Cell("SelfAttention", "Q", "symbols", "(B, T, d_k)")
    assert sheet.axes(cell) == ("B", "T", "D")


def test_a_wrong_cell_is_told_more_each_time(tmp_path: Path) -> None:
    path = tmp_path / "SHAPES.md"
    path.write_text(SOLUTION.replace("`(B, h, d_k, T)`", "`(B, T, h, d_k)`"), encoding="utf-8")
    told = []
    for _ in range(3):
        stream = io.StringIO()
        assert not shaping.verify(path, workspace(tmp_path), Console(file=stream, width=100))
        told.append(stream.getvalue())
    assert "not this" in told[0]
    assert "(B, h, d_k, T)" not in told[0]
    assert "it has 4 axes" in told[1]
    assert "(B, h, d_k, T)" not in told[1]
    assert "it is (B, h, d_k, T)" in told[2]


@pytest.mark.parametrize(("left_blank", "count"), [((), 120), (("layer_norm", "feed_forward"), 88)])
def test_a_right_sheet_is_all_right_without_the_chapters_not_begun(
    tmp_path: Path, left_blank: tuple[str, ...], count: int
) -> None:
    path = tmp_path / "SHAPES.md"
    path.write_text(sheet.without(SOLUTION, left_blank), encoding="utf-8")
    stream = io.StringIO()
    assert shaping.verify(path, None, Console(file=stream, width=100))
    assert f"{count} right, 0 wrong, 0 empty" in stream.getvalue()


def test_a_later_chapter_that_is_begun_is_asked_whole(tmp_path: Path) -> None:
    path = tmp_path / "SHAPES.md"
    begun = sheet.without(SOLUTION, ("layer_norm",)).replace("`(2, 5, 32)`", "", 1)
    path.write_text(begun, encoding="utf-8")
    stream = io.StringIO()
    assert not shaping.verify(path, None, Console(file=stream, width=100))
    assert "103 right, 0 wrong, 1 empty" in stream.getvalue()


def test_bugs_that_were_met_are_offered_for_the_sheet(tmp_path: Path) -> None:
    from attnpack.workspace.progress import Progress

    path = tmp_path / "SHAPES.md"
    path.write_text(BLANK, encoding="utf-8")
    state = State("p", "numpy", exercises={"softmax": Progress(bugs_met=("softmax-overflow",))})
    stream = io.StringIO()
    shaping.verify(path, Workspace(tmp_path, state, pack.load()), Console(file=stream, width=100))
    assert "| softmax-overflow | softmax |" in stream.getvalue()


def test_a_memory_that_cannot_be_read_is_begun_anew(tmp_path: Path) -> None:
    (tmp_path / "shapes.json").write_text("{half")
    assert sheet.tries_of(tmp_path / "shapes.json") == {}
    sheet.remember(tmp_path / "shapes.json", {"a": 1}, [])
    assert json.loads((tmp_path / "shapes.json").read_text()) == {"a": 1}


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "There is no file"), ("# no table\n", "holds no table"), (b"\xff\xfe\x00", "UTF-8")],
)
def test_a_sheet_that_cannot_be_marked_is_refused(
    tmp_path: Path, content: str | bytes | None, said: str
) -> None:
    path = tmp_path / "SHAPES.md"
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(BadInputError, match=said):
        sheet.read(path)
