"""What `attnpack heatmap` and `attnpack generate` do, without the command line around it.

Heavy modules are imported inside the functions: a guest warms up while numpy loads here.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from attnpack.errors import BadInputError
from attnpack.look.rendering.files import form_of, lacking, rendered, write_whole
from attnpack.look.subject.code import EXERCISE, Code, opened
from attnpack.terms import UNRECOGNISED, Backend

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from rich.console import Console

    from attnpack.look.model.host_model import HostModel
    from attnpack.look.pictures.picture import Picture
    from attnpack.look.pictures.view import View
    from attnpack.look.subject.learner import AttentionFailedError
    from attnpack.look.texts.sampling import Sampling
    from attnpack.report.model import Report
    from attnpack.submission import Submission

PICTURE = Path("attention_heatmap.png")
"""where a picture goes where nothing else is said"""
RESOLUTION = 150
"""dots per inch of a PNG; a drawing's own pixels are 100 per inch"""
VALUE_TOKENS = 9
"""the longest input on the value track, start mark included: it computes number by number"""
WRITTEN = 40
VALUE_WRITTEN = 4
PASSES_OF_A_LAYER = 2
"""the output, and the weights of so few tokens"""


class Demo(StrEnum):
    """Sentences that light up a kind of head."""

    PREVIOUS = "previous"
    INDUCTION = "induction"

    @property
    def kind(self) -> str:
        """As a model's heads are scored."""
        return "previous-token" if self is Demo.PREVIOUS else "induction"


SENTENCES = {
    Demo.PREVIOUS: "the quick brown fox jumps over the lazy dog",
    Demo.INDUCTION: "mr darcy met miss emma . mr darcy met miss",
}
"""an induction head needs a repeat"""


@dataclass(frozen=True)
class Subject:
    """The learner's code, and what `check` can do with it."""

    submission: Submission
    backend: Backend
    check: Callable[[], Report]
    """judges the exercise; called only where its numbers are off or it raised"""
    show: Callable[[Report], None]
    """draws a report as `attnpack check` does"""


def heatmap(
    sentence: str,
    subject: Subject | None,
    view: View,
    console: Console,
    out: Path | None = PICTURE,
    dpi: int = RESOLUTION,
) -> bool:
    """Draw what attention does with a sentence, in the terminal and into a file.

    `subject` None draws the reference's. Returns whether the attention is right. Raises
    BadInputError for a sentence, a view or a file that cannot be used.
    """
    form = None if out is None else form_of(out)
    with opened_for(subject) as code:
        from attnpack.look.model import host_model
        from attnpack.look.rendering import terminal
        from attnpack.look.subject.learner import AttentionFailedError

        try:
            picture = _picture(sentence, code, view, host_model.load(), console)
        except AttentionFailedError as error:
            explain(error, subject, console)
            return False
    if subject is not None and is_wrong(picture):
        picture = replace(picture, diagnosis=diagnosis(subject.check()))
    terminal.show(picture, view, console)
    if out is not None and form is not None:
        write_whole(out, rendered(picture, view, form, dpi))
        console.print(f"\nWrote {out}", soft_wrap=True)
        if said := lacking(picture.tokens, form):
            fit = said.encode(console.encoding, "replace").decode(console.encoding)
            console.print(fit, soft_wrap=True)
    return not is_wrong(picture)


def generate(
    prompt: str,
    subject: Subject | None,
    sampling: Sampling,
    number: int,
    console: Console,
) -> bool:
    """Write on from a prompt, word by word, beside what the reference writes; both losses.

    Returns whether the attention is right. Raises BadInputError for a prompt that cannot be used.
    """
    with opened_for(subject) as code:
        from attnpack.look.commands.generation import Generation, write_both
        from attnpack.look.model import host_model
        from attnpack.look.subject.learner import AttentionFailedError

        try:
            return write_both(
                Generation(prompt, code, sampling, number), host_model.load(), console
            )
        except AttentionFailedError as error:
            explain(error, subject, console)
            return False


def sentence_for(sentence: str | None, demo: Demo | None) -> str:
    """The words to look at. Raises BadInputError where there are none, or two kinds."""
    if demo is not None and sentence is not None:
        raise BadInputError("Give a sentence or --demo, not both.")
    if demo is not None:
        return SENTENCES[demo]
    if sentence is None:
        raise BadInputError(
            "Which words should be looked at? For example: "
            'attnpack heatmap "the cat sat on the mat", or --demo induction'
        )
    return sentence


def tokens_to_write(subject: Subject | None, asked: int | None) -> int:
    """How many tokens `generate` writes: fewer on the value track, where each takes seconds."""
    if asked is not None:
        return asked
    is_value = subject is not None and subject.backend is Backend.VALUE
    return VALUE_WRITTEN if is_value else WRITTEN


def is_wrong(picture: Picture) -> bool:
    """Whether anything in the picture is not as right code has it."""
    from attnpack.look.pictures.picture import (
        is_recovered,
        largest_difference,
        worst_leak,
        worst_row,
    )

    named = (worst_leak(picture), worst_row(picture), largest_difference(picture))
    return any(place is not None for place in named) or not is_recovered(picture)


def diagnosis(report: Report) -> tuple[str, ...]:
    """What `check` says of the code, in a line or two: this exercise first, else what it uses."""
    failing = [exercise for exercise in report.exercises if exercise.failing is not None]
    own = [exercise for exercise in failing if exercise.name == EXERCISE]
    for exercise in (*own, *failing):
        check = exercise.failing
        if check is not None and check.bugs:
            bug = check.bugs[0]
            place = f" ({bug.file}, line {bug.line})" if bug.file and bug.line else ""
            more = "" if bug.id == UNRECOGNISED else f"; read on: attnpack explain {bug.id}"
            said = f"check, {exercise.name}, {check.stage}: {check.message}"
            return (said, f"{bug.id}{place}{more}")
        if check is not None:
            return (f"check, {exercise.name}, {check.stage}: {check.message}",)
    return (PASSES,)


def opened_for(subject: Subject | None) -> AbstractContextManager[Code | None]:
    """The subject's code with a warm guest; None for the reference. Raises as `opened` does."""
    if subject is None:
        return nullcontext()
    return opened(subject.submission, subject.backend)


def _picture(
    sentence: str, code: Code | None, view: View, model: HostModel, console: Console
) -> Picture:
    from attnpack.look.model.attention import reference
    from attnpack.look.pictures.effect import effect
    from attnpack.look.pictures.looking import look, tokens_of
    from attnpack.look.pictures.picture import REFERENCE, worst_leak
    from attnpack.look.subject.waiting import progress

    is_value = code is not None and code.backend is Backend.VALUE
    tokens = tokens_of(model, sentence, VALUE_TOKENS if is_value else None)
    check_view(view, model, len(tokens))
    if code is None:
        return look(model, tokens, reference(model.recipe.num_heads), REFERENCE)
    if is_value:
        passes = model.recipe.num_layers * PASSES_OF_A_LAYER
        with progress(code.attention(model), passes, console) as shown:
            return look(model, tokens, shown, code.source)
    picture = look(model, tokens, code.attention(model), code.source)
    ids = [token.id for token in tokens]
    looks_ahead = worst_leak(picture) is not None
    found = effect(model, code.predict(model), ids, looks_ahead=looks_ahead)
    return replace(picture, effect=found)


def check_view(view: View, model: HostModel, length: int) -> None:
    """Raises BadInputError for a layer, head or position that is not there."""
    asked = (
        ("layer", view.layer, 0, model.recipe.num_layers),
        ("head", view.head, 0, model.recipe.num_heads),
        ("position", view.position, -length, length),
    )
    for name, number, first, end in asked:
        if number is not None and not first <= number < end:
            raise BadInputError(
                f"There is no {name} {number}: --{name} takes {first} to {end - 1}"
                + (", a negative one counts from the end." if first < 0 else ", counted from 0.")
            )


def explain(error: AttentionFailedError, subject: Subject | None, console: Console) -> None:
    """The error as `check` shows it; in our own words where `check` does not meet it."""
    report = subject.check() if subject else None
    if subject is not None and report is not None and not report.passed:
        subject.show(report)
    else:
        console.print(str(error), style="bold red", soft_wrap=True)
        if error.output:
            from attnpack.report.untrusted import capped

            console.print(f"It printed:\n{capped(error.output)}", soft_wrap=True)


PASSES = (
    "attnpack check passes this code, so it may be right only at the sizes that check asks about; "
    "the model here has d_model = 128 and 4 heads"
)
