"""What `pytest` says of a workspace: each stage of each exercise, and the diagnosis as text.

    python -P -m attnpack.pytest_plugin.verdicts FOLDER EXERCISE...

prints one JSON object, for `attnpack.pytest_plugin`. It is a process of its own so that neither
a `conftest.py` nor a learner's file named like a library comes near the judging.
"""

from __future__ import annotations

import json
import locale
import sys
import traceback
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from attnpack.commands import check as checking
from attnpack.commands import targets
from attnpack.errors import BadInputError, OwnFaultError
from attnpack.report import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.commands.targets import Target
    from attnpack.report.failure import Failure
    from attnpack.report.model import Report
    from attnpack.submission import Submission

WIDTH: Final = 78


def stages(folder: Path, exercise: str) -> list[str]:
    """The stages of an exercise in this folder's backend. Raises BadInputError; no numpy."""
    from attnpack import submission

    target = targets.read([], folder)
    found = next((e for e in target.pack.exercises if e.name == exercise), None)
    if found is None:
        raise BadInputError(
            f"There is no exercise {exercise}: rename test_{exercise}, or delete it."
        )
    backend = checking.backend_of(target, submission.own(target.path, target.pack))
    return [str(stage) for stage in found.stages_on(backend)]


def main() -> None:
    """Check the exercises of a folder; print what each stage has to say, or exit with a message."""
    folder, *exercises = sys.argv[1:]
    try:
        said = verdicts(Path(folder), exercises)
    except BadInputError as error:
        sys.exit(str(error))
    except OwnFaultError as error:
        sys.exit(f"{error}\n{words.OWN_FAULT}")
    except Exception as error:
        traceback.print_exc()
        raise SystemExit(words.OWN_FAULT) from error
    sys.stdout.write(json.dumps(said))


def verdicts(folder: Path, exercises: Sequence[str]) -> dict[str, dict[str, dict[str, str]]]:
    """Status and text by exercise and stage. Raises BadInputError and OwnFaultError."""
    target = replace(targets.read([], folder), exercises=tuple(exercises))
    submission, report = checking.run(target, None, None, keep_going=True)
    checking.remember(target, report, submission)
    alone = {e.name: replace(report, exercises=(e,)) for e in report.exercises}
    return {name: _said(one, submission, target) for name, one in alone.items()}


def _said(report: Report, submission: Submission, target: Target) -> dict[str, dict[str, str]]:
    """Of one exercise: stage by stage, with the text at the first that did not pass."""
    (exercise,) = report.exercises
    failing = exercise.failing
    said = {}
    for check in exercise.checks:
        text = _text(report, submission, target) if check is failing else ""
        first = failing.stage if failing else ""
        said[str(check.stage)] = {"status": check.status.value, "text": text, "failing": first}
    return said


def _text(report: Report, submission: Submission, target: Target) -> str:
    """The report of one exercise without its table and frame."""
    from attnpack.report import glyphs, terminal

    steps = checking.next_steps(report, target)
    signs = glyphs.for_encoding(locale.getencoding())
    view = checking.view_of(report, submission, steps, signs)
    headlines = [_headline(failure) for failure in view.failing]
    return "".join(headlines) + terminal.as_text(terminal.explanation(view), width=WIDTH)


def _headline(failure: Failure) -> str:
    """What is seen of a text where only its first line is: the bugs and where they are."""
    named = [bug for bug in failure.explaining if bug.id in failure.cards]
    places = [failure.places.words(b.file, b.line) if b.file and b.line else "" for b in named]
    said = [
        f"{failure.cards[b.id].title} {place}".strip()
        for b, place in zip(named, places, strict=True)
    ]
    return failure.glyphs.text(f"{' and '.join(said)}\n\n" if said else "")


if __name__ == "__main__":
    main()
