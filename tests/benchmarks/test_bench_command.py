"""`attnpack bench` hands over to the bench of the repository, or says where that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typer.testing import CliRunner

from attnpack import cli, pack
from attnpack.look.model import host_model
from attnpack.look.pictures.looking import tokens_of
from bench import __main__ as program
from bench import growth

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


def test_the_command_passes_its_options_on(monkeypatch: pytest.MonkeyPatch) -> None:
    words: list[str] = []
    monkeypatch.setattr(program, "main", words.extend)
    typed = ["bench", "--quick", "--peers", "pytest", "--envs", "somewhere", "--json", "a b.json"]
    assert CliRunner().invoke(cli.application(["bench"]), typed).exit_code == 0
    assert words == ["--quick", "--peers=pytest", "--json=a b.json", "--envs=somewhere"]


def test_an_attnpack_without_the_repository_says_where_the_bench_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pack, "ROOT", tmp_path)
    result = CliRunner().invoke(cli.application(["bench"]), ["bench"])
    assert result.exit_code == 2
    assert "python -m bench" in result.output


def test_the_sentences_that_grow_have_as_many_tokens_as_is_said() -> None:
    model = host_model.load()
    lengths = [len(tokens_of(model, growth._sentence(n))) for n in growth.TOKENS]
    assert lengths == list(growth.TOKENS)
