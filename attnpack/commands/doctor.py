"""`attnpack doctor`: says what is wrong with the installation, and what to do."""

from pathlib import Path
from typing import Annotated

import typer

from attnpack import doctor as examination
from attnpack.doctor import Health
from attnpack.errors import BadInputError
from attnpack.report import glyphs, prose
from attnpack.report.untrusted import printable
from attnpack.terms import Status

MARKS = {Health.WELL: Status.PASSED, Health.NOTE: Status.NOT_STARTED, Health.WRONG: Status.FAILED}


def doctor(
    hand_in: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="What you would hand in: what is read of it?"),
    ] = None,
) -> None:
    """Look at the installation, the terminal and the workspace; or at what you would hand in."""
    if hand_in is not None:
        _look_at(hand_in)
        return
    wrong = 0
    for finding in examination.findings(Path.cwd()):
        mark = glyphs.UNICODE.marks[MARKS[finding.health]]
        head = f"{mark} {finding.health:<6}{finding.subject:<13}"
        prose.say(prose.hanging(head, finding.said))
        wrong += finding.health is Health.WRONG
    if wrong:
        prose.say(f"\n{wrong} to be mended; each line says how.")
        raise typer.Exit(1)
    prose.say("\nNothing is wrong here.")


def _look_at(path: Path) -> None:
    """Say what a grader would read of it."""
    from attnpack import pack
    from attnpack.grade.dry_run import of_path

    if not path.exists():
        raise BadInputError(f"There is no file or folder {path}.")
    for line in of_path(path, pack.load()):
        prose.say(printable(line))
