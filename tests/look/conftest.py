"""The shipped model, a few attentions of known faults, and pictures of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from faulty_attention import ATTENTIONS

from attnpack import pack, submission
from attnpack.look.model import host_model
from attnpack.look.pictures.looking import look, tokens_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from attnpack.look.model.host_model import HostModel
    from attnpack.look.pictures.picture import Picture
    from attnpack.submission import Submission


@pytest.fixture(scope="session")
def model() -> HostModel:
    return host_model.load()


@pytest.fixture(scope="session")
def picture_of(model: HostModel) -> Callable[[str, str], Picture]:
    """A picture of a sentence through one of ATTENTIONS."""

    def of(sentence: str, attention: str = "right") -> Picture:
        tokens = tokens_of(model, sentence)
        return look(model, tokens, ATTENTIONS[attention], "multi_head_attention.py")

    return of


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str, str], Submission]:
    """A numpy submission: the reference with one file written anew."""

    def write(file: str, text: str) -> Submission:
        for path in (pack.ROOT / "reference" / "numpy").glob("*.py"):
            (tmp_path / path.name).write_text(path.read_text())
        (tmp_path / file).write_text(text)
        return submission.load(tmp_path)

    return write
