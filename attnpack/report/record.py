"""`reports/NAME.json`: the report of one submission with its mark, for the instructor."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from attnpack.report.model import SCHEMA

if TYPE_CHECKING:
    from attnpack.grade.marks import Mark
    from attnpack.grade.results import Cohort, Result


def record(cohort: Cohort, result: Result) -> str:
    """One JSON object, schema `attnpack.report/1`. No timings: equal runs give equal bytes."""
    report = result.report.to_json() if result.report else _without_report(cohort, result)
    grading = {
        "student": result.student,
        "status": result.status,
        "problem": result.problem,
        "submission_sha256": result.sha256,
        "seed_commitment": cohort.terms.seeds,
        "rubric": cohort.terms.rubric,
        "mark": _mark(result.mark),
        "flags": list(result.flags),
    }
    return json.dumps({**report, "grading": grading}) + "\n"


def _without_report(cohort: Cohort, result: Result) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "attnpack": cohort.terms.attnpack,
        "pack": cohort.terms.pack,
        "isolation": None,
        "submission": result.submission,
        "backend": None,
        "seed": None,
        "passed": False,
        "score": None,
        "exercises": [],
    }


def _mark(mark: Mark) -> dict[str, Any]:
    return {
        "score": mark.score,
        "max_score": mark.max_score,
        "percent": mark.percent,
        "exercises": {e.name: {"points": e.points, "of": e.max_points} for e in mark.exercises},
        "overrides": [
            {"exercise": o.exercise, "points": o.points, "reason": o.reason} for o in mark.overrides
        ],
    }
