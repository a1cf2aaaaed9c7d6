"""nbgrader's autograder on a notebook of the same assertions."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

from bench.peers.assertions import MODULE, Assertions, assertions
from bench.peers.environment import PeerError
from bench.peers.work import Work, in_folder, prepared

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from bench.peers.environment import Environment

ASSIGNMENT = "homework"


class Nbgrader:
    name = "nbgrader"
    packages = ("nbgrader>=0.9,<0.10", "ipykernel>=6,<8")
    together = True

    def work(self, environment: Environment, place: Path, texts: Sequence[str]) -> Work:
        course, environ = place / "course", in_folder(environment, place)
        _write(course / "source" / ASSIGNMENT, "")
        (course / "nbgrader_config.py").write_text("c = get_config()\n", encoding="utf-8")
        for number, text in enumerate(texts):
            _write(course / "submitted" / f"s{number}" / ASSIGNMENT, text)
        program = environment.program("nbgrader")
        prepared((program, "generate_assignment", ASSIGNMENT), course, environ)

        def passed(exit_code: int) -> bool:
            if exit_code:
                raise PeerError("broken", f"ended with exit code {exit_code}")
            prepared((program, "export", "--to", "grades.csv"), course, environ)
            return _passed(course / "grades.csv", len(texts))

        command = (program, "autograde", ASSIGNMENT, "--force")
        return Work(command, course, environ, passed)


def _write(folder: Path, text: str) -> None:
    folder.mkdir(parents=True)
    notebook = json.dumps(_notebook(assertions(), text))
    (folder / f"{MODULE}.ipynb").write_text(notebook, encoding="utf-8")


def _notebook(asked: Assertions, text: str) -> Mapping[str, Any]:
    cells = [
        _cell("submission", text, solution=True),
        _cell("definitions", asked.source, locked=True),
        *(
            _cell(f"check_{number}", call, locked=True, grade=True, points=1)
            for number, call in enumerate(asked.calls)
        ),
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {
        "cells": cells,
        "metadata": {"kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _cell(name: str, source: str, **marks: bool | int) -> Mapping[str, Any]:
    plain = {"grade": False, "solution": False, "locked": False, "task": False}
    told = {"grade_id": name, "schema_version": 3, "cell_type": "code", **plain, **marks}
    return {
        "id": name,
        "cell_type": "code",
        "execution_count": None,
        "metadata": {"nbgrader": told},
        "outputs": [],
        "source": source,
    }


def _passed(grades: Path, count: int) -> bool:
    with grades.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    if len(rows) != count or not all(float(row["max_score"]) > 0 for row in rows):
        raise PeerError("broken", f"graded {len(rows)} of {count} submissions")
    return all(float(row["score"]) == float(row["max_score"]) for row in rows)
