"""A progress bar around an attention whose every pass takes seconds: the value track."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from attnpack.look.model.attention import Array, Attention, Projections


@contextmanager
def progress(attention: Attention, passes: int, console: Console) -> Iterator[Attention]:
    """The attention, counted; the bar is gone afterwards, and absent where there is no terminal."""
    columns = (TextColumn("forward passes, number by number"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("passes", total=passes)

        def counted(x: Array, layer: Projections) -> Array:
            result = attention(x, layer)
            bar.advance(task)
            return result

        yield counted
