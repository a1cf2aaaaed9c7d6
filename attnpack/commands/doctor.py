"""`attnpack doctor`: says what is wrong with the installation, and what to do."""

from pathlib import Path

import typer

from attnpack import doctor as examination
from attnpack.doctor import Health
from attnpack.report import glyphs, prose
from attnpack.terms import Status

MARKS = {Health.WELL: Status.PASSED, Health.NOTE: Status.NOT_STARTED, Health.WRONG: Status.FAILED}


def doctor() -> None:
    """Look at the installation, the terminal and the workspace."""
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
