"""What every test may use."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Callable

GOLDEN = Path(__file__).parent / "golden"

settings.register_profile("at any speed", deadline=None)
settings.load_profile("at any speed")


def pytest_configure() -> None:
    """A run in the background is started with Ctrl-C ignored, and so would be all it starts."""
    if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rewrite-golden",
        action="store_true",
        help="write what is rendered now into tests/golden; look at the difference before a commit",
    )


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compares a text with a file under tests/golden; spaces at the ends of lines do not count."""
    rewrite = request.config.getoption("--rewrite-golden")

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        stripped = "\n".join(line.rstrip() for line in text.rstrip().splitlines()) + "\n"
        if rewrite:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(stripped, encoding="utf-8", newline="\n")
        assert path.is_file(), f"no golden file {name}: pytest --rewrite-golden writes it"
        assert stripped == path.read_text(encoding="utf-8")

    return compare
