"""Which folder or file, and which exercises, the words of a command line mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from attnpack.commands import targets
from attnpack.errors import BadInputError

if TYPE_CHECKING:
    from pathlib import Path


def test_no_word_means_the_whole_workspace(here: Path) -> None:
    target = targets.read([], here)
    assert target.path == here
    assert target.exercises == ()
    assert target.workspace is not None


def test_an_exercises_name_is_that_exercise_and_not_a_path(here: Path) -> None:
    (here / "softmax").mkdir()
    target = targets.read(["softmax"], here)
    assert target.path == here
    assert target.exercises == ("softmax",)


def test_exercises_come_in_the_order_of_the_course(here: Path) -> None:
    target = targets.read(["SelfAttention", "causal_mask", "softmax"], here)
    assert target.exercises == ("softmax", "causal_mask", "SelfAttention")


def test_the_file_of_an_exercise_in_a_workspace_is_the_exercise(here: Path) -> None:
    target = targets.read(["self_attention.py"], here)
    assert target.exercises == ("SelfAttention",)
    assert target.path == here
    assert target.workspace is not None


def test_the_file_of_an_exercise_by_its_whole_path_finds_its_workspace(
    here: Path, tmp_path: Path
) -> None:
    target = targets.read([str(here / "softmax.py")], tmp_path)
    assert target.path == here
    assert target.exercises == ("softmax",)
    assert target.workspace is not None


def test_a_stem_is_the_exercise_where_there_is_no_such_path(here: Path) -> None:
    assert targets.read(["multi_head_attention"], here).exercises == ("MultiHeadAttention",)


def test_a_lone_file_of_an_exercises_name_is_a_submission_of_one_file(nowhere: Path) -> None:
    (nowhere / "softmax.py").write_text("")
    target = targets.read(["softmax.py"], nowhere)
    assert target.path == nowhere / "softmax.py"
    assert target.exercises == ()


def test_a_deleted_exercise_of_a_workspace_is_still_the_exercise(here: Path) -> None:
    (here / "softmax.py").unlink()
    assert targets.read(["softmax.py"], here).exercises == ("softmax",)


def test_a_file_and_an_exercise_go_together(nowhere: Path) -> None:
    (nowhere / "attention.py").write_text("")
    target = targets.read(["attention.py", "softmax"], nowhere)
    assert target.path == nowhere / "attention.py"
    assert target.exercises == ("softmax",)
    assert target.workspace is None


def test_a_folder_of_files_needs_no_workspace(nowhere: Path) -> None:
    (nowhere / "softmax.py").write_text("")
    (nowhere / "causal_mask.py").write_text("")
    assert targets.read([], nowhere).path == nowhere
    assert targets.read(["softmax.py"], nowhere).exercises == ("softmax",)


def test_a_workspace_is_found_by_the_path_of_its_folder(here: Path, tmp_path: Path) -> None:
    target = targets.read([here.name], tmp_path)
    assert target.workspace is not None
    assert target.word == here.name


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["sofmax"], "Did you mean the exercise softmax?"),
        (["selfattention"], "Did you mean the exercise SelfAttention?"),
        (["nothing-like-it.py"], "The exercises are: softmax"),
        (["a.py", "b.py"], "One path at a time"),
    ],
)
def test_a_word_that_means_nothing_is_answered_with_what_it_could_mean(
    here: Path, words: list[str], said: str
) -> None:
    with pytest.raises(BadInputError, match=said.replace("?", r"\?")):
        targets.read(words, here)


def test_an_empty_folder_is_told_what_to_do(nowhere: Path) -> None:
    with pytest.raises(BadInputError, match="attnpack init"):
        targets.read([], nowhere)
