"""Bugs in styles that the models were not written against."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from asking import ask, passes_short_form
from fragments import WILD, Kind, Unseen, unseen

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from _pytest.mark import ParameterSet


def each_case() -> Iterator[ParameterSet]:
    """Every case; the first of each bug is asked for by every run."""
    known = set()
    for case in unseen():
        if case.harmless:
            marks = pytest.mark.exhaustive if case.ids[0] in known else ()
            known.add(case.ids[0])
            yield pytest.param(case, id=f"{case.backend}-{case.name}", marks=marks)


@pytest.mark.parametrize("case", list(each_case()))
def test_an_unseen_bug_fails_its_exercise_under_its_name(case: Unseen) -> None:
    if case.backend == "torch":
        pytest.importorskip("torch")

    said = ask(case, only_faulty=True)

    assert list(said.failing) == [case.exercise]
    assert not passes_short_form(case)
    assert said.named(case), f"wanted {case.ids}, was told {[s.id for s in said.suspects]}"


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=f"{case.backend}-{case.name}")
        for case in unseen(kind=Kind.MISTAKES)
        if case.ids == ("heads-not-dividing",)
    ],
)
def test_sizes_that_a_later_line_happens_to_refuse_were_accepted(case: Unseen) -> None:
    if case.backend == "torch":
        pytest.importorskip("torch")

    said = ask(case, only_faulty=True, traced=True)

    assert said.right(case)
    assert said.line(case)
    assert not passes_short_form(case)


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=f"{case.backend}-{case.name}")
        for case in unseen(kind=Kind.WILD)
        if not case.faulty
    ],
)
def test_what_was_doubted_in_public_and_is_right_passes(case: Unseen) -> None:
    if case.backend == "torch":
        pytest.importorskip("torch")

    said = ask(case, only_faulty=True)

    assert not said.failing


@pytest.mark.parametrize("path", sorted(WILD.glob("*/*/*.py")), ids=lambda path: path.stem)
def test_a_public_case_names_its_thread(path: Path) -> None:
    _, second, third = path.read_text(encoding="utf-8").splitlines()[:3]

    assert second.startswith(("# bugs: ", "# pair: ", "# right: "))
    assert re.fullmatch(r"# source: [\w.-]+/[\w.-]+#\d+", third)


def test_every_public_bug_marks_its_line() -> None:
    assert [case.name for case in unseen(kind=Kind.WILD) if case.faulty and not case.lines] == []


LINES = {
    "cm_range_off": "for j in range(i + 2, seq_len):",
    "cm_transposed": "mask[i + 1 :, i] = -1e9",
    "sd_bool_only": "if mask is not None and mask.dtype == bool:",
    "sd_ignored": "def scaled_dot_product_attention(Q, K, V, mask=None):",
    "mh_merge_reshape": "joined = out.reshape(B, T, D)",
    "mh_mask_after": "w = w * (mask == 0)",
    "sm_max_from_zero": "m = np.maximum(x.max(axis=-1, keepdims=True), 0)",
    "as_by_query_length": "return Q @ K.swapaxes(-1, -2) / np.sqrt(T)",
    "sa_one_matrix": "self.W_q = self.W_k = self.W_v = W",
    "sa_returns_pair": "return out @ self.W_o, weights",
    "mh_both_reshape": "return y.reshape(B, self.h, T, self.d_k)",
}
"""what a place goes back to, or forward to, from the expression that mends"""


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=case.name)
        for case in unseen("numpy", Kind.MISTAKES)
        if case.name in LINES
    ],
)
def test_the_line_is_that_of_what_made_the_wrong_value(case: Unseen) -> None:
    said = ask(case, only_faulty=True, traced=True)

    line = said.suspects[0].line
    assert line is not None
    assert case.source.splitlines()[line - 1].strip() == LINES[case.name]


@pytest.mark.exhaustive
@pytest.mark.parametrize(("kind", "least"), [(Kind.WILD, 0.92), (Kind.MISTAKES, 0.95)])
def test_the_line_is_right_in_code_that_nobody_here_wrote(kind: Kind, least: float) -> None:
    pytest.importorskip("torch")
    cases = [case for case in unseen(kind=kind) if case.harmless and case.faulty]

    beside = [c.name for c in cases if not ask(c, only_faulty=True, traced=True).line(c)]

    assert len(beside) <= (1 - least) * len(cases), beside
