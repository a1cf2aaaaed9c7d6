"""What every test may use."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from xdist.remote import Producer
    from xdist.scheduler import LoadFileScheduling

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
    parser.addoption(
        "--exhaustive",
        action="store_true",
        help="also the tests marked exhaustive, and fuzzing at full length, as .ci/run does",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Without --exhaustive, leave out what is marked so."""
    if config.getoption("--exhaustive"):
        return
    left_out = [item for item in items if item.get_closest_marker("exhaustive")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadFileScheduling | None:
    """With -n, the tests of one file in one process: what they share is made once."""
    if config.getoption("dist") != "load":
        return None
    from xdist.scheduler import LoadFileScheduling

    return LoadFileScheduling(config, log)


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
