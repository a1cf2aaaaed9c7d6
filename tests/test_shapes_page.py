"""SHAPES.md against a run of the numpy reference: every row, in symbols and in numbers."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from attnpack import pack

if TYPE_CHECKING:
    from collections.abc import Callable

PAGE = pack.ROOT / "SHAPES.md"
BLANK = pack.ROOT / "exercises" / "SHAPES.md"
FOLDER = pack.ROOT / "reference" / "numpy"
CLASSES = ("SelfAttention", "MultiHeadAttention")
FUNCTIONS = ("layer_norm", "feed_forward")
SECTIONS = (*CLASSES, *FUNCTIONS)

IN_BOTH = {
    "x": "forward.x",
    "Q": "forward.Q",
    "K": "forward.K",
    "V": "forward.V",
    "Kᵀ": "attention_scores.keys_as_columns",
    "raw scores": "attention_scores.products",
    "scores": "attention_scores.return",
    "mask": "forward.mask",
    "masked scores": "softmax.scores",
    "row maxima": "softmax.largest",
    "exps": "softmax.exps",
    "row sums": "softmax.total",
    "weights": "softmax.return",
    "attended": "forward.attended",
    "output": "forward.return",
}
IN_MANY_HEADS = {
    "projected Q": "split_heads.projected",
    "projected K": "split_heads.projected",
    "projected V": "split_heads.projected",
    "columns of Q": "split_heads.columns",
    "columns of attended": "join_heads.columns",
    "joined": "forward.joined",
}
IN_FUNCTIONS = {
    "layer_norm": ("x", "gain", "bias", "mean", "centred", "variance", "standardised"),
    "feed_forward": ("x", "W_1", "b_1", "W_2", "b_2", "hidden", "activated"),
}
RETURNED = {"layer_norm": "normed", "feed_forward": "output"}


def sections(path: Path) -> dict[str, list[list[str]]]:
    """The cells of each section's table rows, the head left out."""
    found: dict[str, list[list[str]]] = {}
    title = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            title = line.lstrip("# ")
        elif line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            found.setdefault(title, []).append(cells)
    return {title: rows[2:] for title, rows in found.items()}


def sizes() -> dict[str, int]:
    return {symbol.strip("`"): int(number) for symbol, number, _ in sections(PAGE)["Shapes"]}


def shape(cell: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in cell.strip("`()").split(",") if part.strip())


@pytest.fixture(scope="module")
def recorded() -> dict[str, dict[str, tuple[int, ...]]]:
    """Per class and "function.name" the shape of every local and returned array of a run."""
    return {name: run(name) for name in SECTIONS}


def prepared(name: str) -> tuple[Callable[[], Any], dict[str, tuple[int, ...]]]:
    """What is to be run, and the shapes of what it holds before."""
    at = sizes()
    module = importlib.import_module(pack.load().exercise(name).file.removesuffix(".py"))
    rng = np.random.default_rng(0)
    if name in FUNCTIONS:
        parameters = {row[0]: row[2] for row in sections(PAGE)[name] if row[3] == "a parameter"}
        shapes = [tuple(map(int, shape(numbers))) for numbers in parameters.values()]
        given = [rng.normal(size=each) for each in ((at["B"], at["T"], at["D"]), *shapes)]
        return lambda: getattr(module, name)(*given), {}
    built = getattr(module, name)(*((at["D"],) if name == "SelfAttention" else (at["D"], at["h"])))
    held = {w: getattr(built, w).shape for w in ("W_q", "W_k", "W_v", "W_o")}
    return lambda: built.forward(rng.normal(size=(at["B"], at["T"], at["D"]))), held


def run(name: str) -> dict[str, tuple[int, ...]]:
    known = set(sys.modules)
    sys.path.insert(0, str(FOLDER))
    try:
        call, shapes = prepared(name)
        sys.setprofile(lambda frame, event, result: record(shapes, frame, event, result))
        try:
            call()
        finally:
            sys.setprofile(None)
    finally:
        sys.path.remove(str(FOLDER))
        for stem in set(sys.modules) - known:
            if (FOLDER / f"{stem}.py").exists():
                del sys.modules[stem]
    return shapes


def record(shapes: dict[str, tuple[int, ...]], frame: Any, event: str, result: Any) -> None:
    if event != "return" or Path(frame.f_code.co_filename).parent != FOLDER:
        return
    function = frame.f_code.co_name
    for local, held in {**frame.f_locals, "return": result}.items():
        if isinstance(held, np.ndarray):
            shapes[f"{function}.{local}"] = held.shape


def tensors(name: str) -> dict[str, str]:
    """Where the run keeps the tensor of each row."""
    if name in FUNCTIONS:
        held = {local: f"{name}.{local}" for local in IN_FUNCTIONS[name]}
        return held | {RETURNED[name]: f"{name}.return"}
    weights = {w: w for w in ("W_q", "W_k", "W_v", "W_o")}
    return weights | IN_BOTH | (IN_MANY_HEADS if name == "MultiHeadAttention" else {})


def test_no_two_sizes_of_the_example_are_equal_and_heads_divide_the_width():
    at = sizes()
    assert len(set(at.values())) == len(at)
    assert at["h"] * at["d_k"] == at["D"]


@pytest.mark.parametrize("name", SECTIONS)
def test_every_tensor_of_the_run_has_its_row_and_the_other_way_round(name):
    assert sorted(row[0] for row in sections(PAGE)[name]) == sorted(tensors(name))


@pytest.mark.parametrize("name", SECTIONS)
def test_every_row_gives_the_shape_that_the_reference_makes(recorded, name):
    for tensor, symbols, numbers, *_ in sections(PAGE)[name]:
        made = recorded[name][tensors(name)[tensor]]
        assert shape(numbers) == tuple(map(str, made)), tensor
        at = sizes() | {"1": 1}
        assert tuple(at[symbol] for symbol in shape(symbols)) == made, tensor


def test_every_bug_on_the_page_has_a_card():
    rows = [row for name in SECTIONS for row in sections(PAGE)[name]]
    named = {bug for row in rows for bug in re.findall(r"`([\w-]+)`", row[4])}
    assert len(named) > 30
    assert named <= set(pack.load().bugs())


def test_every_row_says_where_its_tensor_comes_from_and_which_bug_hides_there():
    for name in SECTIONS:
        for row in sections(PAGE)[name]:
            assert all(row)


@pytest.mark.parametrize("name", SECTIONS)
def test_the_learners_page_has_the_same_rows_with_empty_shapes(name):
    blank = sections(BLANK)[name]
    assert [row[0] for row in blank] == [row[0] for row in sections(PAGE)[name]]
    assert all(row[1:3] == ["", ""] for row in blank)


def test_the_learners_page_uses_the_same_example():
    assert sections(BLANK)["Shapes"] == sections(PAGE)["Shapes"]


def test_the_learners_page_has_room_for_bugs():
    assert "Where I had bugs" in sections(BLANK)
