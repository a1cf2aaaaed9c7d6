"""`attnpack heatmap --stream`: what each sublayer adds to the residual stream."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnpack.look.commands import VALUE_TOKENS, diagnosis, explain, opened_for
from attnpack.look.model import host_model
from attnpack.look.model.attention import reference
from attnpack.look.pictures.findings import MARKS, Tone
from attnpack.look.pictures.looking import tokens_of
from attnpack.look.pictures.picture import REFERENCE
from attnpack.look.pictures.stream import first_difference, flow, with_attention
from attnpack.look.rendering import stream_terminal
from attnpack.look.rendering.files import form_of, lacking, rendered_stream, write_whole
from attnpack.look.subject.learner import AttentionFailedError
from attnpack.terms import Backend

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

    from attnpack.look.commands import Subject
    from attnpack.look.pictures.stream import Stream
    from attnpack.look.subject.code import Code


def draw_stream(
    sentence: str, subject: Subject | None, console: Console, out: Path | None, dpi: int
) -> bool:
    """Draw the stream of a sentence, in the terminal and into a file. Whether the code is right.

    `subject` None draws the reference's. Raises BadInputError for a sentence or a file that
    cannot be used.
    """
    form = None if out is None else form_of(out)
    with opened_for(subject) as code:
        try:
            stream = _stream(sentence, code)
        except AttentionFailedError as error:
            explain(error, subject, console)
            return False
    stream_terminal.show(stream, console)
    is_right = first_difference(stream) is None
    if subject is not None and not is_right:
        for line in diagnosis(subject.check()):
            console.print(f"{MARKS[Tone.BAD]} {line}", style="bold red", soft_wrap=True)
    if out is not None and form is not None:
        write_whole(out, rendered_stream(stream, form, dpi))
        console.print(f"\nWrote {out}", soft_wrap=True)
        if said := lacking(stream.tokens, form):
            fit = said.encode(console.encoding, "replace").decode(console.encoding)
            console.print(fit, soft_wrap=True)
    return is_right


def _stream(sentence: str, code: Code | None) -> Stream:
    model = host_model.load()
    is_value = code is not None and code.backend is Backend.VALUE
    tokens = tokens_of(model, sentence, VALUE_TOKENS if is_value else None)
    if code is None:
        right = with_attention(model, reference(model.recipe.num_heads))
        return flow(model, tokens, right, REFERENCE)
    return flow(model, tokens, code.sublayers(model), code.source)
