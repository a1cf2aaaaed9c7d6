"""Bugs in styles that the models were not written against."""

from __future__ import annotations

import pytest
from asking import ask
from fragments import Unseen, unseen


@pytest.mark.parametrize(
    "case", [c for c in unseen() if c.harmless], ids=lambda case: f"{case.backend}-{case.name}"
)
def test_the_faulty_exercise_fails_alone_and_under_its_name(case: Unseen) -> None:
    said = ask(case)

    assert list(said.failing) == [case.exercise]
    assert said.named(case), f"wanted {case.ids}, was told {[s.id for s in said.suspects]}"
