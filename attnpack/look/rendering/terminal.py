"""A picture in the terminal: numbers up to twelve tokens, blocks beyond, lists where narrow."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from rich.cells import cell_len
from rich.text import Text

from attnpack.look.pictures.findings import MARKS, Finding, Tone, findings
from attnpack.look.pictures.picture import (
    Kind,
    Panel,
    Picture,
    head_to_show,
    is_future,
    leaks,
    panels,
    position_of,
    row_is_off,
    shown_heads,
    title,
)
from attnpack.look.pictures.view import View
from attnpack.look.rendering import colours
from attnpack.look.rendering.layout import heading
from attnpack.look.rendering.matrix import NUMBERS_UP_TO
from attnpack.look.rendering.signs import (
    Glyphs,
    cut,
    encodable,
    glyphs_for,
    leaking_number,
    number,
    right,
    row_label,
    shade,
)

if TYPE_CHECKING:
    from rich.console import Console

    from attnpack.look.model.attention import Array

STYLES = {Tone.BAD: "bold red", Tone.GOOD: "green", Tone.PLAIN: ""}
_NUMBER = 5
"""columns of a cell with a number"""
_SUM = 7
"""columns of ` Σ 1.00`"""
_LONGEST = 12
_SHORTEST = 4
_TOP_KEYS = 3
_BAR = 30


def show(picture: Picture, view: View, console: Console) -> None:
    """Print the findings, the panels of the view and one line per head."""
    glyphs = glyphs_for(console.encoding)
    picture = encodable(picture, console.encoding)
    _print(console, Text(heading(picture), style="bold"))
    for finding in findings(picture):
        _print(console, _finding(finding))
    shown = panels(picture, _narrowed(picture, view))
    for panel in shown:
        _print(console, Text())
        _panel(panel, picture, view, console, glyphs)
    _print(console, Text())
    _legend(console, view, glyphs, numbers=_has_numbers(picture, console))
    if view == View(kind=view.kind):
        _print(console, Text())
        _heads(picture, console)


def _narrowed(picture: Picture, view: View) -> View:
    """Without a choice, the terminal shows one head: the one that tells most."""
    if view.mean or view.diff or view.layer is not None or view.head is not None:
        return view
    head = head_to_show(picture, view.kind)
    return replace(view, layer=head.layer, head=head.head)


def _panel(panel: Panel, picture: Picture, view: View, console: Console, glyphs: Glyphs) -> None:
    _print(console, Text(panel.title, style="bold"))
    if view.position is not None:
        _bars(panel, picture, position_of(picture, view.position), view, console, glyphs)
    elif _has_numbers(picture, console):
        _numbers(panel, picture, console, glyphs)
    else:
        if _label_width(picture, console, cell=1) >= _SHORTEST:
            _blocks(panel, picture, view, console, glyphs)
        _top_keys(panel, picture, console, glyphs)


def _has_numbers(picture: Picture, console: Console) -> bool:
    few = len(picture.tokens) <= NUMBERS_UP_TO
    return few and _label_width(picture, console, cell=_NUMBER) >= _SHORTEST


def _label_width(picture: Picture, console: Console, cell: int) -> int:
    """Columns left for a row's label: index, blank, token."""
    longest = max(cell_len(token) for token in picture.tokens) + 3
    room = console.width - cell * len(picture.tokens) - _SUM - 1
    return min(longest, _LONGEST, room)


def _numbers(panel: Panel, picture: Picture, console: Console, glyphs: Glyphs) -> None:
    width = _label_width(picture, console, cell=_NUMBER)
    leaking = leaks(panel.weights)
    indices = "".join(f"{key:>{_NUMBER}}" for key in range(len(picture.tokens)))
    words = "".join(" " + right(token, _NUMBER - 1, glyphs) for token in picture.tokens)
    _print(console, Text(" " * width + indices, style="dim"))
    _print(console, Text(" " * width + words))
    for query, token in enumerate(picture.tokens):
        line = Text(row_label(query, token, width, glyphs))
        for key in range(len(picture.tokens)):
            value = float(panel.weights[query, key])
            if key > query and not leaking[query, key]:
                line.append(f"{glyphs.dot:>{_NUMBER}}", style="dim")
            elif leaking[query, key] and panel.kind is Kind.WEIGHTS:
                line.append(f"{leaking_number(value):>{_NUMBER}}", style="bold red")
            else:
                line.append(
                    f"{number(value, panel.kind):>{_NUMBER}}", style=shade(value, panel.kind)
                )
        line.append_text(_sum(panel, query, glyphs))
        _print(console, line)


def _blocks(panel: Panel, picture: Picture, view: View, console: Console, glyphs: Glyphs) -> None:
    cell = 2 if _label_width(picture, console, cell=2) >= _SHORTEST + 4 else 1
    width = _label_width(picture, console, cell)
    leaking = leaks(panel.weights)
    future = is_future(picture)
    for query, token in enumerate(picture.tokens):
        line = Text(row_label(query, token, width, glyphs) + " ")
        for key in range(len(picture.tokens)):
            value = float(panel.weights[query, key])
            if panel.kind is Kind.DIFFERENCE:
                line.append(_signed(value, glyphs) * cell)
            elif leaking[query, key]:
                line.append("!" * cell, style="bold red")
            elif future[query, key]:
                line.append(glyphs.dot.ljust(cell), style="dim")
            else:
                line.append(_level(value, view, glyphs) * cell)
        line.append_text(_sum(panel, query, glyphs))
        _print(console, line)


def _level(value: float, view: View, glyphs: Glyphs) -> str:
    if not np.isfinite(value):
        return "?"
    return glyphs.levels[min(4, int(colours.level(value, view.log) * 5))]


def _signed(value: float, glyphs: Glyphs) -> str:
    if not np.isfinite(value):
        return "?"
    if abs(value) < 0.05:
        return glyphs.dot
    return "+" if value > 0 else glyphs.minus


def _sum(panel: Panel, query: int, glyphs: Glyphs) -> Text:
    """The row's sum, marked where it is not 1. Differences have none."""
    if panel.kind is Kind.DIFFERENCE:
        return Text()
    total = panel.weights[query].sum()
    off = bool(row_is_off(np.asarray(total)))
    sign = glyphs.total if len(glyphs.total) == 1 else "="
    text = f" {sign} {number(float(total), Kind.WEIGHTS)}" + ("!" if off else "")
    return Text(text, style="bold red" if off else "dim")


def _top_keys(panel: Panel, picture: Picture, console: Console, glyphs: Glyphs) -> None:
    """The keys that each query looks at most, in words."""
    leaking = leaks(panel.weights)
    label = min(_LONGEST, max(cell_len(token) for token in picture.tokens) + 3)
    for query, token in enumerate(picture.tokens):
        parts = []
        for key in top_keys(panel.weights[query]):
            mark = "!" if leaking[query, key] and panel.kind is Kind.WEIGHTS else ""
            weight = number(float(panel.weights[query, key]), panel.kind)
            parts.append(f"{key} {cut(picture.tokens[key], 10, glyphs)} {weight}{mark}")
        line = f"{row_label(query, token, label, glyphs)} <- " + ", ".join(parts)
        _print(console, Text(line[: console.width]))


def top_keys(row: Array) -> list[int]:
    """The keys with the largest weights of one query, the largest first; none below 0.01."""
    size = np.nan_to_num(np.abs(row))
    order = np.argsort(-size, kind="stable")[:_TOP_KEYS]
    return [int(key) for key in order if size[key] >= 0.01]


def _bars(
    panel: Panel, picture: Picture, query: int, view: View, console: Console, glyphs: Glyphs
) -> None:
    _print(console, Text(f'query {query} "{picture.tokens[query]}" looks at'))
    leaking = leaks(panel.weights)[query]
    label = min(_LONGEST, max(cell_len(token) for token in picture.tokens) + 3)
    room = min(_BAR, max(1, console.width - label - 10))
    for key, token in enumerate(picture.tokens):
        value = float(panel.weights[query, key])
        line = Text(row_label(key, token, label, glyphs) + " ")
        if key > query and not leaking[key]:
            line.append(glyphs.dot, style="dim")
        else:
            full = round(
                room
                * colours.level(abs(value) if panel.kind is Kind.DIFFERENCE else value, view.log)
            )
            style = "bold red" if leaking[key] else ""
            line.append(
                f"{glyphs.bar * full} {number(value, panel.kind)}{'!' if leaking[key] else ''}",
                style=style,
            )
        _print(console, line)


def _heads(picture: Picture, console: Console) -> None:
    """One line per head: what it is in the right model, and its strongest link here."""
    _print(console, Text("every head (score: measured in the right model)", style="bold"))
    for head in shown_heads(picture, View()):
        weights = np.nan_to_num(picture.weights[head.layer, head.head])[1:]  # (T - 1, T)
        query, key = divmod(int(weights.argmax()), weights.shape[1])
        link = f'"{picture.tokens[query + 1]}" looks at {key} "{picture.tokens[key]}"'
        line = f"  {title(head):<26} {link} {number(float(weights[query, key]), Kind.WEIGHTS)}"
        _print(console, Text(line[: console.width]))


def _legend(console: Console, view: View, glyphs: Glyphs, *, numbers: bool) -> None:
    marks = (
        f"{glyphs.dot} future, weight 0. ! weight on the future, or a row that does not sum to 1."
    )
    lines = [f"rows: queries. columns: keys. {marks} {glyphs.total}: sum of a row."]
    if not numbers and view.position is None and not view.diff:
        how = "by the logarithm, 0.0001 to 1" if view.log else "0 to 1"
        lines.append(f'blocks {how}: "{glyphs.levels}"')
    for line in lines:
        _print(console, Text(line, style="dim"))


def _finding(finding: Finding) -> Text:
    return Text(f"{MARKS[finding.tone]} {finding.text}", style=STYLES[finding.tone])


def _print(console: Console, text: Text) -> None:
    console.print(text, highlight=False, soft_wrap=False)
