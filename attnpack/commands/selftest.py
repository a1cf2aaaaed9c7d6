"""`attnpack selftest --security`: what this machine's sandbox holds."""

from typing import Annotated

import typer

from attnpack.errors import BadInputError


def selftest(
    security: Annotated[
        bool, typer.Option("--security", help="Run the corpus of attacks in the sandbox.")
    ] = False,
) -> None:
    """Try on this machine what attnpack promises; takes a minute or two."""
    if not security:
        raise BadInputError("Say what to test: attnpack selftest --security")
    from attnpack.grade import selftest as attacks

    raise typer.Exit(attacks.main(typer.echo))
