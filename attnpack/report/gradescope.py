"""Gradescope's `results.json`.

Format: gradescope-autograders.readthedocs.io, "Autograder Specifications".
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from attnpack.grade.student import student_view
from attnpack.report.feedback import check_line, exercise_text, overrides_text
from attnpack.report.sinks import for_json

if TYPE_CHECKING:
    from attnpack.grade.results import Cohort, Result
    from attnpack.grade.student import StudentExercise


def gradescope(cohort: Cohort, result: Result) -> str:
    """The results of one submission.

    One visible test per exercise; the checks that the rubric hides as hidden tests without
    points, which only staff can see.
    """
    shown = [_visible(at, e) for at, e in enumerate(student_view(result, cohort.rubric), 1)]
    document: dict[str, Any] = {
        "score": result.mark.score,
        "execution_time": round(result.wall_s, 3),
        "output": for_json(_headline(result)),
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "extra_data": {
            "submission_sha256": result.sha256,
            "seed_commitment": cohort.terms.seeds,
            "pack": cohort.terms.pack,
        },
        "tests": [*shown, *_hidden(cohort, result)],
    }
    return json.dumps(document) + "\n"


def _headline(result: Result) -> str:
    parts = [result.problem, overrides_text(result.mark)]
    return "\n".join(part for part in parts if part)


def _visible(number: int, exercise: StudentExercise) -> dict[str, Any]:
    return {
        "name": exercise.name,
        "number": str(number),
        "score": exercise.mark.points,
        "max_score": exercise.mark.max_points,
        "status": "passed" if exercise.passed else "failed",
        "output": for_json(exercise_text(exercise)),
        "output_format": "text",
        "tags": ["attnpack"],
        "visibility": "visible",
    }


def _hidden(cohort: Cohort, result: Result) -> list[dict[str, Any]]:
    return [
        {
            "name": f"{exercise.name}: {check.stage} (hidden)",
            "score": 0,
            "max_score": 0,
            "status": "passed" if check.status == "passed" else "failed",
            "output": for_json(check_line(check)),
            "output_format": "text",
            "tags": ["attnpack"],
            "visibility": "hidden",
        }
        for exercise in (result.report.exercises if result.report else ())
        for check in exercise.checks
        if cohort.rubric.hides(exercise.name, check.stage)
    ]
