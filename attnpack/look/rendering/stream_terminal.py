"""The residual stream in the terminal: a table where there is room, else a line a sublayer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from attnpack.look.pictures.findings import MARKS
from attnpack.look.pictures.stream import differs, shares
from attnpack.look.rendering.signs import Glyphs, fit, glyphs_for, row_label
from attnpack.look.rendering.stream import EXPLAINED, sentences, title
from attnpack.look.rendering.terminal import STYLES

if TYPE_CHECKING:
    from rich.console import Console

    from attnpack.look.pictures.stream import Stream

_COLUMN = 13
"""columns of a cell: word, blank, share, mark"""
_WORD = 7
_ROW_LABEL = 12


def show(stream: Stream, console: Console) -> None:
    """Print the sentences and the table; where it is narrow, a line for each sublayer."""
    glyphs = glyphs_for(console.encoding)
    lines = [Text(_encodable(title(stream), console), style="bold")]
    for finding in sentences(stream):
        text = f"{MARKS[finding.tone]} {finding.text}"
        lines.append(Text(_encodable(text, console), style=STYLES[finding.tone]))
    lines.append(Text())
    is_wide = console.width >= _ROW_LABEL + _COLUMN * len(stream.stages)
    lines += (_rows if is_wide else _listed)(stream, console, glyphs)
    lines += [Text(), *(Text(line, style="dim") for line in EXPLAINED)]
    for line in lines:
        console.print(line, highlight=False)


def _rows(stream: Stream, console: Console, glyphs: Glyphs) -> list[Text]:
    above = "".join(
        f"{'' if stage.layer is None else f'L{stage.layer}':<{_COLUMN}}" for stage in stream.stages
    )
    names = "".join(f"{stage.sublayer:<{_COLUMN}}" for stage in stream.stages)
    lines = [Text(" " * _ROW_LABEL + text.rstrip()) for text in (above, names)]
    for position, token in enumerate(stream.tokens):
        shown = _encodable(token, console)
        line = Text(row_label(position, shown, _ROW_LABEL - 1, glyphs) + " ")
        for stage in range(len(stream.stages)):
            line.append_text(_cell(stream, stage, position, glyphs))
        line.rstrip()
        lines.append(line)
    return lines


def _listed(stream: Stream, console: Console, glyphs: Glyphs) -> list[Text]:
    lines = []
    for position, token in enumerate(stream.tokens):
        lines.append(Text(row_label(position, _encodable(token, console), _ROW_LABEL, glyphs)))
        for stage, named in enumerate(stream.stages):
            line = Text(f"   {named.name:<16}").append_text(_cell(stream, stage, position, glyphs))
            line.rstrip()
            lines.append(line)
    return lines


def _cell(stream: Stream, stage: int, position: int, glyphs: Glyphs) -> Text:
    """`_COLUMN` columns: what the stream says here, how much was added, the mark."""
    word = fit(stream.guesses[stage][position], _WORD, glyphs)
    if stage == 0:
        return Text(f"{word:<{_COLUMN}}", style="dim")
    share = float(shares(stream)[stage - 1, position])
    off = bool(differs(stream)[stage, position])
    text = f"{word} {share:.2f}{'!' if off else ' '}"
    return Text(f"{text:<{_COLUMN}}", style="bold red" if off else "bold" if share >= 0.5 else "")


def _encodable(text: str, console: Console) -> str:
    return text.encode(console.encoding, "replace").decode(console.encoding)
