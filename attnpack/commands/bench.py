"""`attnpack bench`: what attnpack costs on this machine, beside what one would take instead."""

import importlib
import sys
from pathlib import Path
from typing import Annotated

import typer

from attnpack import pack
from attnpack.errors import BadInputError


def bench(
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer repetitions, small cohorts; a few minutes.")
    ] = False,
    peers: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="pytest,check50,otter-grader,nbgrader, or some."),
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="The table for a page.")] = False,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the figures for a program.")
    ] = None,
    envs: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the peers are installed and kept.")
    ] = None,
) -> None:
    """Measure attnpack beside pytest, check50, otter-grader and nbgrader on the same work."""
    if not (pack.ROOT / "bench" / "__main__.py").is_file():
        raise BadInputError(
            "The bench is in the repository, and this attnpack was installed without it. "
            "In a clone, with attnpack installed from it, type: python -m bench"
        )
    flags = [flag for flag, on in (("--quick", quick), ("--markdown", markdown)) if on]
    values = {"--peers": peers, "--json": json, "--envs": envs}
    words = [f"{name}={value}" for name, value in values.items() if value is not None]
    sys.path.insert(0, str(pack.ROOT))
    importlib.import_module("bench.__main__").main([*flags, *words])
