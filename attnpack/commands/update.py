"""`attnpack update`: a newer pack's stubs into a workspace, the learner's work untouched."""

from attnpack.commands import targets
from attnpack.report.prose import say, wrapped
from attnpack.workspace import renewal
from attnpack.workspace.scaffolding import Placed

SAID = {
    Placed.WRITTEN: "New",
    Placed.RENEWED: "Renewed, as you had not changed them",
    Placed.KEPT: "Kept as you have them, though the stub is another now",
}


def update() -> None:
    """Bring this attnpack's stubs into the workspace; leave what you have edited alone."""
    here = targets.needed_workspace()
    if here.state.pack == here.pack.fingerprint():
        say("The workspace is up to date with this attnpack.")
        say("For a newer attnpack: pip install -U attnpack, then: attnpack update")
        return
    done = renewal.renew(here)
    for fate, words in SAID.items():
        files = [file for file, placed in done.files if placed is fate]
        if files:
            say(wrapped(f"{words}: {', '.join(files)}."))
    exercises = {exercise.file: exercise.name for exercise in here.pack.exercises}
    kept = [file for file, placed in done.files if placed is Placed.KEPT and file in exercises]
    if kept:
        name = exercises[kept[0]]
        say(wrapped(f"To have the new stub, with a backup of yours: attnpack reset {name}"))
    say("\nNext: attnpack check")
