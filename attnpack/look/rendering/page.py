"""A picture as one HTML file: no scripts, nothing from the network."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from attnpack.look.pictures.findings import MARKS, Tone, findings
from attnpack.look.pictures.picture import Picture, panels
from attnpack.look.rendering import colours
from attnpack.look.rendering.layout import columns_of, heading, scale
from attnpack.look.rendering.matrix import draw_panel
from attnpack.look.rendering.stream import explanation, sentences, table, title
from attnpack.look.rendering.vector import svg

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.look.pictures.findings import Finding
    from attnpack.look.pictures.stream import Stream
    from attnpack.look.pictures.view import View


def html(picture: Picture, view: View) -> str:
    """The page; panels stand side by side where there is room, else below each other."""
    shown = panels(picture, view)
    figures = [
        f'<div class="panel">{svg(draw_panel(panel, picture, view), panel.title)}</div>'
        for panel in shown
    ]
    wide = min(columns_of(picture, view), len(shown))
    panel_width = max(draw_panel(panel, picture, view).width for panel in shown)
    return _page(
        heading(picture),
        findings(picture),
        figures,
        wide * (panel_width + 24),
        svg(scale(view), _SCALE),
    )


def html_of_stream(stream: Stream) -> str:
    """The page of a stream: one table, wide enough to be scrolled where the window is not."""
    shown = table(stream)
    figure = f'<div class="panel">{svg(shown, title(stream))}</div>'
    explained = svg(explanation(), _SCALE)
    return _page(title(stream), sentences(stream), [figure], shown.width + 24, explained)


def _page(
    heading: str, found: Sequence[Finding], figures: Sequence[str], width: float, scale: str
) -> str:
    listed = [
        _LISTED.format(kind=_CLASSES[each.tone], mark=MARKS[each.tone], text=escape(each.text))
        for each in found
    ]
    return _PAGE.format(
        title=escape(heading),
        style=_STYLE.replace("ROW", f"{width:.0f}px"),
        findings="\n".join(listed),
        panels="\n".join(figures),
        scale=scale,
    )


_SCALE = "what colours and marks mean"

_CLASSES = {Tone.GOOD: "good", Tone.BAD: "bad", Tone.PLAIN: "plain"}
_LISTED = '<li class="{kind}"><b>{mark}</b> {text}</li>'

_STYLE = f"""
:root {{ color-scheme: light; }}
body {{ margin: 1rem; background: {colours.PAPER}; color: {colours.INK};
  font: 15px/1.45 'DejaVu Sans', Verdana, Arial, sans-serif; }}
h1 {{ font-size: 1.15rem; overflow-wrap: anywhere; }}
ul {{ list-style: none; padding: 0; max-width: 70rem; overflow-wrap: anywhere; }}
.bad {{ color: {colours.LEAK}; }} .good {{ color: {colours.GOOD}; }}
.panels {{ display: flex; flex-wrap: wrap; gap: 24px; max-width: ROW; }}
.panel {{ overflow-x: auto; max-width: 100%; }}
.scale {{ overflow-x: auto; margin-top: 1rem; }}
"""

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<h1>{title}</h1>
<ul>
{findings}
</ul>
<div class="panels">
{panels}
</div>
<div class="scale">{scale}</div>
</body>
</html>
"""
