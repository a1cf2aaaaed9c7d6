from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from rich.console import Console

from attnpack.look.pictures.picture import Kind
from attnpack.look.pictures.view import View
from attnpack.look.rendering import colours, drawing, layout, page, terminal, vector
from attnpack.look.rendering.files import Form, rendered

if TYPE_CHECKING:
    from collections.abc import Callable

    from attnpack.look.pictures.picture import Picture

    PictureOf = Callable[..., Picture]
    Golden = Callable[[str, str], None]

SHORT = "the cat sat on the mat"
LONG = (
    "when mary and john went to the store , john gave a drink to mary . the quick brown fox jumps "
    "over the lazy dog ."
)
LONGEST = f"{LONG} {LONG} when mary and john went to the store ,"
OTHER = "the 🐈 sat on кошка 猫 internationalization"


def shown(picture: Picture, view: View, width: int, **options: object) -> str:
    stream = io.StringIO()
    console = Console(file=stream, width=width, markup=False, emoji=False, **options)  # type: ignore[arg-type]
    terminal.show(picture, view, console)
    return stream.getvalue()


@pytest.mark.parametrize("width", [60, 80, 140])
@pytest.mark.parametrize(
    ("name", "sentence", "attention"),
    [
        ("right", SHORT, "right"),
        ("leak", SHORT, "unmasked"),
        ("long", LONG, "masked after softmax"),
        ("other", OTHER, "right"),
    ],
)
def test_the_terminal_shows(
    golden: Golden, picture_of: PictureOf, name: str, sentence: str, attention: str, width: int
) -> None:
    text = shown(picture_of(sentence, attention), View(), width)
    golden(f"look/terminal-{name}-{width}.txt", text)


@pytest.mark.parametrize(
    ("name", "view"),
    [
        ("diff", View(diff=True)),
        ("mean", View(mean=True)),
        ("last", View(layer=1, position=-1)),
        ("log", View(layer=0, head=2, log=True)),
    ],
)
def test_the_terminal_shows_a_view(
    golden: Golden, picture_of: PictureOf, name: str, view: View
) -> None:
    golden(f"look/view-{name}.txt", shown(picture_of(SHORT, "unscaled"), view, 80))


@pytest.mark.parametrize("width", [40, 60, 80, 140])
@pytest.mark.parametrize("sentence", ["the", SHORT, LONG, LONGEST, OTHER])
def test_no_line_is_wider_than_the_terminal(
    picture_of: PictureOf, sentence: str, width: int
) -> None:
    text = shown(picture_of(sentence, "unmasked"), View(), width)
    widths = [terminal.cell_len(line) for line in text.splitlines()]
    assert max(widths) <= width


def test_no_colour_means_no_escape_and_the_same_words(picture_of: PictureOf) -> None:
    picture = picture_of(SHORT, "unmasked")
    plain = shown(picture, View(), 80, no_color=True)
    coloured = shown(picture, View(), 80, force_terminal=True, color_system="truecolor")
    assert "\x1b" not in plain
    assert "\x1b" in coloured
    assert "LEAK" in plain
    assert re.search(r" \.\d\d!", plain)


def test_a_terminal_without_unicode_gets_ascii(picture_of: PictureOf) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    console = Console(file=stream, width=80)
    terminal.show(picture_of(OTHER), View(), console)
    stream.flush()
    assert b"sum" in stream.buffer.getvalue()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "attention", "view"),
    [
        ("right", "right", View()),
        ("leak", "unmasked", View(layer=0)),
        ("diff", "unscaled", View(diff=True)),
    ],
)
def test_the_svg_is(
    golden: Golden, picture_of: PictureOf, name: str, attention: str, view: View
) -> None:
    picture = picture_of(SHORT, attention)
    text = rendered(picture, view, Form.SVG, 100).decode()
    golden(f"look/{name}.svg", text)


@pytest.mark.parametrize("form", list(Form))
def test_numbers_that_are_none_are_drawn(picture_of: PictureOf, form: Form) -> None:
    assert rendered(picture_of(SHORT, "not finite"), View(), form, 100)
    assert "nan" in shown(picture_of(SHORT, "not finite"), View(), 80)


@pytest.mark.parametrize("form", list(Form))
def test_the_same_picture_gives_the_same_bytes(picture_of: PictureOf, form: Form) -> None:
    picture = picture_of(SHORT, "unmasked")
    assert rendered(picture, View(), form, 100) == rendered(picture, View(), form, 100)


def test_a_png_has_the_same_bytes_in_another_process() -> None:
    code = (
        "import hashlib;"
        "from attnpack.look.model import attention, host_model;"
        "from attnpack.look.pictures import looking, view;"
        "from attnpack.look.rendering import files;"
        "m = host_model.load(); t = looking.tokens_of(m, 'the cat');"
        "p = looking.look(m, t, attention.reference(4), 'x');"
        "print(hashlib.sha256(files.rendered(p, view.View(), files.Form.PNG, 100)).hexdigest())"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout
        for _ in range(2)
    ]
    assert runs[0] == runs[1]


def test_a_png_needs_no_display() -> None:
    code = (
        "from attnpack.look.model import attention, host_model;"
        "from attnpack.look.pictures import looking, view;"
        "from attnpack.look.rendering import files;"
        "m = host_model.load(); t = looking.tokens_of(m, 'the cat');"
        "p = looking.look(m, t, attention.reference(4), 'x');"
        "files.rendered(p, view.View(), files.Form.PNG, 100)"
    )
    without = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
    environment = {**without, "MPLBACKEND": "TkAgg"}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)


@pytest.mark.parametrize("dpi", [100, 200])
def test_a_png_has_the_size_of_its_drawing(picture_of: PictureOf, dpi: int) -> None:
    from PIL import Image

    picture = picture_of(SHORT)
    drawn = layout.draw(picture, View())
    image = Image.open(io.BytesIO(rendered(picture, View(), Form.PNG, dpi)))
    assert image.size == (round(drawn.width * dpi / 100), round(drawn.height * dpi / 100))
    assert len(image.getcolors(1 << 20) or ()) > 50


def test_the_page_needs_nothing_but_itself(picture_of: PictureOf) -> None:
    text = page.html(picture_of(OTHER), View())
    for outside in ("<script", "<link", "src=", "@import", "url("):
        assert outside not in text
    assert text.count("http") == text.count("http://www.w3.org/2000/svg")


@pytest.mark.parametrize("sentence", ["<b>\"&amp;'</b>", "]]> -- <!--"])
def test_marks_of_html_and_xml_are_text(picture_of: PictureOf, sentence: str) -> None:
    picture = picture_of(sentence)
    text = vector.svg(layout.draw(picture, View()), layout.heading(picture))
    root = ET.fromstring(text)
    said = "".join(root.itertext())
    assert all(token in said for token in picture.tokens)
    assert "<b>" not in page.html(picture, View()).split("</style>")[1].replace("<b>ok", "")


def test_repeated_words_stay_apart(picture_of: PictureOf) -> None:
    drawn = layout.draw(picture_of(SHORT), View(layer=0, head=0))
    labels = [s for s in drawn.shapes if isinstance(s, drawing.Label) and s.text == "the"]
    assert len({(label.x, label.y) for label in labels}) == 4


def test_every_leaking_cell_is_crossed_and_every_closed_one_has_a_dot(
    picture_of: PictureOf,
) -> None:
    view = View(layer=0, head=2)
    right = layout.draw(picture_of(SHORT), view).shapes
    leaking = layout.draw(picture_of(SHORT, "unmasked"), view).shapes
    dots = sum(shape.number for shape in right if isinstance(shape, drawing.Dots))
    assert dots == 21
    assert not any(isinstance(shape, drawing.Line) for shape in right)
    crossed = sum(isinstance(shape, drawing.Line) for shape in leaking) / 4
    closed = sum(shape.number for shape in leaking if isinstance(shape, drawing.Dots))
    assert crossed + closed == 21
    assert crossed > 10


def test_ink_reads_on_every_colour() -> None:
    def luminance(rgb: tuple[int, int, int]) -> float:
        channels = [c / 255 for c in rgb]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for step in range(-20, 21):
        for kind in Kind:
            fill = colours.colour(step / 20, kind, log=False)
            ink = 0.0 if colours.ink(fill) == "#000000" else 1.0
            light, dark = sorted((luminance(fill), ink), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5


def test_more_weight_is_always_lighter() -> None:
    def lightness(value: float) -> int:
        return sum(colours.colour(value, Kind.WEIGHTS, log=False))

    steps = [lightness(value / 50) for value in range(51)]
    assert steps == sorted(steps)


def test_the_terminal_alone_imports_no_matplotlib() -> None:
    code = (
        "import sys, io; from rich.console import Console;"
        "from attnpack.look import commands; from attnpack.look.pictures import view;"
        "commands.heatmap('the cat', None, view.View(), Console(file=io.StringIO()), None);"
        "sys.exit('matplotlib' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
