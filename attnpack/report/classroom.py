"""What the GitHub Classroom autograding reporter takes in (version 3).

The workflow passes it on in base64 as the step output `result`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from attnpack.grade.student import student_view
from attnpack.report.feedback import exercise_text
from attnpack.report.sinks import for_json, line

if TYPE_CHECKING:
    from attnpack.grade.results import Cohort, Result
    from attnpack.grade.student import StudentExercise
    from attnpack.report.model import NamedBug


def classroom(cohort: Cohort, result: Result) -> str:
    """The result of one submission, one test per exercise; only what a student may see."""
    exercises = student_view(result, cohort.rubric)
    document = {
        "version": 3,
        "status": _status(result),
        "max_score": result.mark.max_score,
        "tests": [_test(result, exercise) for exercise in exercises],
    }
    return json.dumps(document) + "\n"


def _status(result: Result) -> str:
    if result.report is None:
        return "error"
    return "pass" if result.mark.score == result.mark.max_score else "fail"


def _test(result: Result, exercise: StudentExercise) -> dict[str, Any]:
    bug = _first_bug(exercise)
    return {
        "name": exercise.name,
        "status": _test_status(result, exercise),
        "message": for_json(result.problem or exercise_text(exercise)),
        "test_code": f"attnpack check . {exercise.name}",
        "task_id": exercise.name,
        "filename": line(bug.file) if bug and bug.file else "",
        "line_no": bug.line or 0 if bug else 0,
        "duration": round(result.wall_s / len(result.mark.exercises), 3),
        "score": exercise.mark.points,
    }


def _test_status(result: Result, exercise: StudentExercise) -> str:
    if result.report is None or exercise.status == "error":
        return "error"
    return "pass" if exercise.passed else "fail"


def _first_bug(exercise: StudentExercise) -> NamedBug | None:
    return next((bug for check in exercise.checks for bug in check.bugs), None)
