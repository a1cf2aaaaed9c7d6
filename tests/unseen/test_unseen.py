"""Bugs in styles that the models were not written against."""

from __future__ import annotations

import pytest
from asking import ask, passes_short_form
from fragments import Unseen, unseen


@pytest.mark.parametrize(
    "case", [c for c in unseen() if c.harmless], ids=lambda case: f"{case.backend}-{case.name}"
)
def test_an_unseen_bug_fails_its_exercise_under_its_name(case: Unseen) -> None:
    if case.backend == "torch":
        pytest.importorskip("torch")

    said = ask(case, only_faulty=True)

    assert list(said.failing) == [case.exercise]
    assert not passes_short_form(case)
    assert said.named(case), f"wanted {case.ids}, was told {[s.id for s in said.suspects]}"
