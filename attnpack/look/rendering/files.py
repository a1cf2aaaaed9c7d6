"""Pictures as files: the form follows from the file's name."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from attnpack.errors import BadInputError, in_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from attnpack.look.pictures.picture import Picture
    from attnpack.look.pictures.stream import Stream
    from attnpack.look.pictures.view import View
    from attnpack.look.rendering.drawing import Drawing


class Form(StrEnum):
    """What a picture can be written as: the end of the file's name."""

    PNG = ".png"
    SVG = ".svg"
    HTML = ".html"


def form_of(path: Path) -> Form:
    """Raises BadInputError where the name ends otherwise, or no file can be put there."""
    try:
        form = Form(path.suffix.lower())
    except ValueError:
        raise BadInputError(
            f"A picture's file name ends in .png, .svg or .html, and {path.name} does not. "
            f"For example: --out {path.with_suffix('.png')}"
        ) from None
    if path.is_dir():
        raise BadInputError(f"{path} is a folder. Name a file in it: --out {path / 'picture.png'}")
    if not path.absolute().parent.is_dir():
        raise BadInputError(f"There is no folder {path.parent} to put {path.name} into.")
    return form


def rendered(picture: Picture, view: View, form: Form, dpi: int) -> bytes:
    """The bytes of a picture's file: the same for the same picture."""
    from attnpack.look.rendering.layout import draw, heading

    if form is Form.HTML:
        from attnpack.look.rendering.page import html

        return html(picture, view).encode()
    return _drawn(draw(picture, view), heading(picture), form, dpi)


def rendered_stream(stream: Stream, form: Form, dpi: int) -> bytes:
    """The bytes of a stream's file: the same for the same stream."""
    from attnpack.look.rendering.stream import draw, title

    if form is Form.HTML:
        from attnpack.look.rendering.page import html_of_stream

        return html_of_stream(stream).encode()
    return _drawn(draw(stream), title(stream), form, dpi)


def _drawn(drawing: Drawing, title: str, form: Form, dpi: int) -> bytes:
    if form is Form.SVG:
        from attnpack.look.rendering.vector import svg

        return svg(drawing, title).encode()
    with _no_backend_named():
        from attnpack.look.rendering.plot import png

    return png(drawing, dpi)


def lacking(tokens: Sequence[str], form: Form) -> str:
    """What a PNG has no letters for, in words; empty where it has all, or the form is another."""
    if form is not Form.PNG:
        return ""
    with _no_backend_named():
        from attnpack.look.rendering.lettering import lacking as without

    missing = without(" ".join(tokens))
    if not missing:
        return ""
    return f"In it ? stands for {', '.join(missing)}: no font here has that. An .svg shows it."


@contextmanager
def _no_backend_named() -> Iterator[None]:
    """Import matplotlib whatever MPLBACKEND names: no backend of it is used."""
    named = os.environ.pop("MPLBACKEND", None)
    try:
        yield
    finally:
        if named is not None:
            os.environ["MPLBACKEND"] = named


def write_whole(path: Path, content: bytes) -> None:
    """Write by moving a finished file into place. Raises BadInputError where that is not allowed.

    A file that is there already is intact until then.
    """
    with in_words(path):
        try:
            _replace(path, content)
        except OSError as error:
            error.filename = str(path)
            raise


def _replace(path: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.absolute().parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
