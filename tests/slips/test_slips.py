"""What learners slip on is named: by the first name, and never with a proof that is none."""

from __future__ import annotations

import pytest
from slips import Slip, slips
from submitted import Outcome, submit

from attnpack.terms import Match, Status

SLIPS = slips()


def said(slip: Slip) -> Outcome:
    if slip.backend == "torch":
        pytest.importorskip("torch")
    return submit(slip.text, slip.exercise, slip.backend, placed=False)


@pytest.mark.parametrize("slip", SLIPS, ids=[slip.name for slip in SLIPS])
def test_a_slip_goes_by_its_name(slip: Slip) -> None:
    outcome = said(slip)
    named = [suspect.id for suspect in outcome.suspects]
    assert named, "it passes"
    assert named[0] in slip.bugs, named
    assert slip.also <= set(named)


@pytest.mark.parametrize(
    "slip",
    [slip for slip in SLIPS if slip.bugs & {"raises", "truth-of-array", "function-not-called"}],
    ids=lambda slip: slip.name,
)
def test_an_exception_alone_proves_no_model(slip: Slip) -> None:
    outcome = said(slip)
    assert outcome.status is Status.ERROR
    modelled = [s.id for s in outcome.suspects if s.match == Match.EXACT and s.evidence is not None]
    assert modelled == []


def test_the_labels_name_a_line_for_every_slip() -> None:
    assert [slip.name for slip in SLIPS if not slip.lines] == []
