"""`attnpack heatmap`, `generate` and `shapes`: what the learner's attention does, seen."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from attnpack.commands import check as checking
from attnpack.commands import targets
from attnpack.errors import BadInputError
from attnpack.look.commands import PICTURE, RESOLUTION, WRITTEN, Demo

if TYPE_CHECKING:
    from attnpack.look.commands import Subject
    from attnpack.pack import Pack
    from attnpack.terms import Backend

SEED = 0
"""of the check behind a diagnosis"""

PathWord = Annotated[
    str | None,
    typer.Argument(metavar="[PATH]", help="A folder or file; the workspace if not said."),
]
ReferenceFlag = Annotated[
    bool, typer.Option("--reference", help="Right attention instead of your code.")
]


def heatmap(
    sentence: Annotated[
        str | None, typer.Argument(metavar="SENTENCE", help="The words to look at, in quotes.")
    ] = None,
    path: PathWord = None,
    backend: checking.BackendOption = None,
    demo: Annotated[
        Demo | None, typer.Option(help="A sentence that lights up a kind of head.")
    ] = None,
    reference: ReferenceFlag = False,
    layer: Annotated[int | None, typer.Option(help="Only this layer, from 0.")] = None,
    head: Annotated[int | None, typer.Option(help="Only this head of each layer, from 0.")] = None,
    mean: Annotated[bool, typer.Option("--mean", help="The mean of each layer's heads.")] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Yours, the reference, and the difference.")
    ] = False,
    position: Annotated[
        int | None, typer.Option(help="What one token looks at, as bars; -1 is the last.")
    ] = None,
    log: Annotated[bool, typer.Option("--log", help="Colours by the logarithm.")] = False,
    stream: Annotated[
        bool, typer.Option("--stream", help="What each sublayer adds to the residual stream.")
    ] = False,
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="Where to: .png, .svg or .html.")
    ] = PICTURE,
    no_file: Annotated[bool, typer.Option("--no-file", help="The terminal only.")] = False,
    dpi: Annotated[int, typer.Option(min=50, max=600, help="Of a .png.")] = RESOLUTION,
) -> None:
    """Draw the attention that your code computes inside a trained transformer."""
    from attnpack.look import commands
    from attnpack.look.pictures.view import View
    from attnpack.report import terminal

    words = commands.sentence_for(sentence, demo)
    view = View(layer, head, mean, diff, position, log, demo.kind if demo else None)
    if stream and view != View(kind=view.kind):
        raise BadInputError(
            "--stream shows every sublayer at once: leave out --layer, --head, --mean, --diff, "
            "--position and --log."
        )
    subject = None if reference else _subject(path, backend)
    target = None if no_file else out
    if stream:
        from attnpack.look.commands.streaming import draw_stream

        if not draw_stream(words, subject, terminal.console(), target, dpi):
            raise typer.Exit(1)
        return
    if not commands.heatmap(words, subject, view, terminal.console(), target, dpi):
        raise typer.Exit(1)


def generate(
    prompt: Annotated[str, typer.Argument(metavar="PROMPT", help="How the text begins.")],
    path: PathWord = None,
    backend: checking.BackendOption = None,
    reference: ReferenceFlag = False,
    tokens: Annotated[
        int | None, typer.Option(help=f"How many to write; {WRITTEN} if not said.")
    ] = None,
    temperature: Annotated[
        float, typer.Option(help="0 takes the likeliest word; 1 draws as the model says.")
    ] = 0.0,
    top_k: Annotated[int | None, typer.Option(help="Draw from the likeliest k only.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the drawing.")] = 0,
) -> None:
    """Write text through your attention, beside what the reference writes."""
    from attnpack.look import commands
    from attnpack.look.texts.sampling import Sampling
    from attnpack.report import terminal

    subject = None if reference else _subject(path, backend)
    number = commands.tokens_to_write(subject, tokens)
    sampling = Sampling(temperature, top_k, seed)
    if not commands.generate(prompt, subject, sampling, number, terminal.console()):
        raise typer.Exit(1)


def shapes(
    path: PathWord = None,
    backend: checking.BackendOption = None,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the table as Markdown.")
    ] = False,
    verify: Annotated[
        Path | None, typer.Option(metavar="SHAPES.md", help="Mark each cell right or wrong.")
    ] = None,
) -> None:
    """Table the shape of every tensor of your forward pass, in symbols and numbers."""
    from attnpack import workspace
    from attnpack.look.commands import shaping
    from attnpack.report import terminal

    if verify is not None:
        here = workspace.find(verify.absolute().parent)
        if here is not None:
            refuse_without_look(here.pack)
        if not shaping.verify(verify, here, terminal.console()):
            raise typer.Exit(1)
        return
    subject = _subject(path, backend)
    if not shaping.shapes(subject, terminal.console(), as_markdown=markdown):
        raise typer.Exit(1)


def refuse_without_look(pack: "Pack") -> None:
    """Raises BadInputError where a pack's exercises are not what the pictures are made of."""
    if not pack.look:
        raise BadInputError(
            f"demo, heatmap, generate and shapes belong to the pack that comes with attnpack; the "
            f"pack {pack.name} does without them. What it has: attnpack list"
        )


def _subject(path: str | None, backend: "Backend | None") -> "Subject":
    """The learner's code behind the words of the command line.

    Raises BadInputError where the pack's exercises are not what these commands draw.
    """
    from attnpack import submission as submissions
    from attnpack.look.commands import Subject

    target = targets.read([path] if path else [], Path.cwd())
    refuse_without_look(target.pack)
    submission = submissions.own(target.path, target.pack)
    chosen = backend or (target.workspace.backend if target.workspace else submission.backend)
    chapter = target.pack.chapters[0]
    whole = replace(target, exercises=tuple(e.name for e in chapter.exercises))
    return Subject(
        submission,
        chosen,
        check=lambda: checking.run(whole, chosen, SEED, keep_going=True)[1],
        show=lambda report: checking.show(
            checking.view_of(report, submission, checking.next_steps(report, whole)),
            f"The whole report: attnpack check {target.word}".rstrip() + " --full",
            full=False,
        ),
    )
