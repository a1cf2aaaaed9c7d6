"""HTML for pages that are one file each: no network, light and dark, printable.

A `Html` is markup that is safe; everything else is text and gets escaped where it is put in.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from attnpack.report.sinks import for_html

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Html(str):
    """Markup made here, not text out of a submission."""

    __slots__ = ()


def tag(name: str, *children: str, **attributes: str) -> Html:
    """An element. Texts among the children and all attributes are escaped.

    `class_` is `class`; `data_x` is `data-x`.
    """
    words = (
        f' {key.strip("_").replace("_", "-")}="{for_html(value)}"'
        for key, value in attributes.items()
    )
    return Html(f"<{name}{''.join(words)}>{join(children)}</{name}>")


def join(parts: Iterable[str]) -> Html:
    """One after the other; texts are escaped."""
    return Html("".join(part if isinstance(part, Html) else for_html(part) for part in parts))


def table(caption: str, head: Sequence[str], rows: Iterable[Sequence[str]], **kind: str) -> Html:
    """A table whose first column names its rows. It scrolls by itself where it is too wide.

    A narrow screen shows the cells of a row below each other, unless `class_` says "across".
    """
    kind = {"class_": "stacked", **kind}
    header = tag("tr", *(_head(cell) for cell in head))
    labels = [_TAG.sub("", cell) for cell in head]
    body = join(
        tag(
            "tr",
            tag("th", row[0], scope="row"),
            *(
                _labelled(_cell(cell), label)
                for cell, label in zip(row[1:], labels[1:], strict=True)
            ),
        )
        for row in rows
    )
    whole = tag("table", tag("caption", caption), tag("thead", header), tag("tbody", body), **kind)
    return tag("div", whole, class_="scroll", role="region", aria_label=caption, tabindex="0")


_TAG = re.compile("<[^>]*>")


def _labelled(cell: Html, label: str) -> Html:
    """A cell that names its column where a narrow screen shows it below the others."""
    said = f' data-label="{for_html(label)}"' if label else ""
    return Html(f"<td{said}{cell.removeprefix('<td')}")


def numbers(name: str) -> Html:
    """The heading of a column of numbers."""
    return tag("th", name, scope="col", class_="n")


def _head(content: str) -> Html:
    """A heading; one that is a `th` already stays as it is."""
    if isinstance(content, Html) and content.startswith("<th"):
        return content
    return tag("th", content, scope="col")


def _cell(content: str) -> Html:
    """A cell; one that is a `td` already stays as it is."""
    if isinstance(content, Html) and content.startswith("<td"):
        return content
    return tag("td", content)


def page(title: str, body: Html, script: Html | None = None) -> str:
    """A whole document."""
    policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f"<title>{for_html(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        f"<main>\n{body}\n</main>\n{script or ''}</body>\n</html>\n"
    )


STYLE = """
:root { --ink: #1b1f24; --soft: #57606a; --paper: #fff; --line: #d0d7de; --band: #f3f5f7;
  --good: #0b6e3a; --bad: #a8201a; --bar: #3867d6; --link: #0b57c4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ed; --soft: #a3adb8; --paper: #14171b;
  --line: #3a414a; --band: #1d2127; --good: #5fd08c; --bad: #ff8f88; --bar: #7aa2ff;
  --link: #8ab8ff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 76rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.2rem; margin: 2.2rem 0 .5rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 1.4rem 0 .3rem; }
p { margin: .4rem 0; max-width: 48rem; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
code, pre { font-family: ui-monospace, "Cascadia Mono", Menlo, "DejaVu Sans Mono", monospace;
  font-size: .88em; }
code { overflow-wrap: break-word; }
pre { background: var(--band); padding: .6rem .8rem; white-space: pre-wrap;
  overflow-wrap: anywhere; border-left: 3px solid var(--line); }
.soft { color: var(--soft); font-weight: 400; }
.small { font-size: .8rem; }
td { overflow-wrap: break-word; }
td > code { overflow-wrap: anywhere; }
div > code { white-space: nowrap; }
.said { font-weight: 400; }
.good { color: var(--good); }
.bad { color: var(--bad); }
.scroll { overflow-x: auto; margin: .6rem 0; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--soft); padding: .2rem 0; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem;
  border-bottom: 1px solid var(--line); }
thead th { background: var(--band); }
tbody th { font-weight: 600; min-width: 7rem; overflow-wrap: anywhere; }
tbody th code { white-space: nowrap; }
td.n, th.n { text-align: right; white-space: nowrap; width: 1%; }
.facts { display: flex; flex-wrap: wrap; gap: .4rem 2rem; margin: .8rem 0; padding: 0; }
.facts div { min-width: 6rem; }
.facts dt { color: var(--soft); font-size: .85rem; }
.facts dd { margin: 0; font-size: 1.15rem; font-weight: 600; overflow-wrap: anywhere; }
.compared { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem;
  margin: .5rem 0; }
.compared dt { color: var(--soft); }
.compared dd { margin: 0; overflow-wrap: anywhere; }
.meter { display: block; height: .7rem; background: var(--bar);
  print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.wide { width: 60%; min-width: 6rem; }
th button { font: inherit; color: inherit; background: none; border: 0; padding: 0;
  cursor: pointer; text-decoration: underline dotted; }
details { margin: .2rem 0; }
summary { cursor: pointer; }
ul { margin: .3rem 0; padding-left: 1.3rem; }
@media (max-width: 40rem) { tbody th code { white-space: normal; }
  main { padding: 1rem .7rem 3rem; } th, td { padding: .3rem .4rem; } }
@media (max-width: 40rem) { .stacked thead { display: none; }
  .stacked tr, .stacked th, .stacked td { display: block; width: auto; text-align: left;
    border: 0; padding: .1rem 0; white-space: normal; overflow-wrap: anywhere; }
  .stacked .none { display: none; } .stacked td > * { display: inline; }
  .stacked .meter { display: none; } .stacked .small::before { content: ", "; }
  .stacked div > code { white-space: normal; } .stacked td > div + div::before { content: ", "; }
  .stacked tr { border-bottom: 1px solid var(--line); padding: .5rem 0; }
  .stacked td[data-label]:not(:empty)::before { content: attr(data-label) ": ";
    color: var(--soft); } }
@media print { :root { --ink: #000; --soft: #444; --paper: #fff; --line: #999; --band: #eee;
  --good: #000; --bad: #000; --bar: #666; --link: #000; } main { max-width: none; padding: 0; }
  .scroll { overflow: visible; } tr, pre { break-inside: avoid; } h2, h3 { break-after: avoid; }
  th button { text-decoration: none; } body { font-size: 10pt; } }
"""
