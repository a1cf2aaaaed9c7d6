from __future__ import annotations

import io
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import pytest
from faulty_attention import unmasked
from rich.console import Console

from attnpack.errors import BadInputError
from attnpack.look.commands.generation import PLACES, Generation, write_both
from attnpack.look.model import host_model
from attnpack.look.model.attention import reference
from attnpack.look.pictures.effect import effect, held_out, losses
from attnpack.look.texts.sampling import Sampling
from attnpack.look.texts.writing import RUN, agreed, chooser, repeating, write

if TYPE_CHECKING:
    from attnpack.look.model.attention import Array
    from attnpack.look.model.host_model import HostModel

RIGHT = host_model.load().through(reference(4))
LEAKING = host_model.load().through(unmasked)
GREEDY = Sampling()


def continued(model: HostModel, prompt: str, number: int, sampling: Sampling = GREEDY) -> str:
    ids = [model.tokenizer.start.id, *model.tokenizer.encode(prompt)]
    return model.tokenizer.decode(islice(write(model, RIGHT, ids, sampling), number))


@pytest.mark.parametrize(
    ("prompt", "rest"),
    [
        ("the quick brown fox jumps over the", "lazy dog ."),
        ("attention is all you", "need ."),
        ("to be or not to", "be , that is the question"),
        ("mary is in the garden . where is mary ? mary is in the", "garden ."),
    ],
)
def test_the_model_knows_the_classic_sentences(model: HostModel, prompt: str, rest: str) -> None:
    assert continued(model, prompt, len(rest.split())) == rest


def test_the_same_seed_writes_the_same_text_and_another_one_another(model: HostModel) -> None:
    warm = [continued(model, "once", 12, Sampling(1.0, 50, seed)) for seed in (1, 1, 2)]
    assert warm[0] == warm[1] != warm[2]


def test_top_k_of_one_is_greedy_at_any_temperature(model: HostModel) -> None:
    assert continued(model, "once", 8, Sampling(2.0, 1, 3)) == continued(model, "once", 8)


def test_a_lower_temperature_prefers_the_likeliest() -> None:
    logits = np.array([2.0, 1.0, 0.0])

    def share(temperature: float) -> float:
        choose = chooser(Sampling(temperature, None, 0))
        return float(np.mean([choose(logits) == 0 for _ in range(300)]))

    assert share(0.3) > share(1.0) > share(10.0) > 0.25


def test_text_longer_than_the_context_goes_on(model: HostModel) -> None:
    assert len(continued(model, "the " * 60, 10).split()) >= 5


def test_writing_ends_where_the_output_is_not_finite(model: HostModel) -> None:
    def broken(ids: Array) -> Array:
        return RIGHT(ids) * np.nan

    assert list(write(model, broken, [0, 5], Sampling())) == []


def test_agreement_is_found_in_one_pass_and_stops_at_the_first_difference(
    model: HostModel,
) -> None:
    ids = [model.tokenizer.start.id, *model.tokenizer.encode("the cat sat")]
    right = list(islice(write(model, RIGHT, ids, Sampling()), 6))
    assert agreed(model, RIGHT, ids, right) == right
    wrong = [*right[:3], right[3] + 1, *right[4:]]
    assert agreed(model, RIGHT, ids, wrong) == right[:3]


def test_the_effect_of_right_attention_is_the_references(model: HostModel) -> None:
    ids = [model.tokenizer.start.id, *model.tokenizer.encode("the cat sat on the")]
    found = effect(model, RIGHT, ids, looks_ahead=False)
    assert found.loss == pytest.approx(found.reference_loss, abs=1e-3)
    assert found.continuation == found.reference_continuation


def test_a_continuation_of_attention_that_looks_ahead_is_written_word_by_word(
    model: HostModel,
) -> None:
    ids = [model.tokenizer.start.id, *model.tokenizer.encode("the cat sat on the")]
    found = effect(model, LEAKING, ids, looks_ahead=True)
    alone = islice(write(model, LEAKING, ids, Sampling()), len(found.continuation.split()))
    assert found.continuation == model.tokenizer.decode(alone)


def test_both_losses_are_equal_for_causal_attention_only(model: HostModel) -> None:
    causal = losses(model, RIGHT, PLACES)
    assert causal.whole == pytest.approx(causal.word_by_word, abs=1e-9)
    leaking = losses(model, LEAKING, PLACES)
    assert abs(leaking.whole - leaking.word_by_word) > 0.1


def test_held_out_stories_fill_the_context(model: HostModel) -> None:
    assert held_out(model).shape == (4, model.recipe.context)


@pytest.mark.parametrize(
    ("sampling", "number", "said"),
    [
        (Sampling(-1.0), 5, "--temperature takes 0"),
        (Sampling(1.0, 0), 5, "--top-k takes 1"),
        (Sampling(), 0, "--tokens takes 1"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(
    model: HostModel, sampling: Sampling, number: int, said: str
) -> None:
    with pytest.raises(BadInputError, match=said):
        write_both(Generation("the", None, sampling, number), model, Console(file=io.StringIO()))


def test_the_reference_alone_writes_its_text(model: HostModel) -> None:
    stream = io.StringIO()
    wanted = Generation("attention is all", None, Sampling(), 3)
    assert write_both(wanted, model, Console(file=stream, width=80))
    assert "attention is all ...\n" in stream.getvalue()
    assert "... you need ." in stream.getvalue()


@pytest.mark.parametrize(
    ("written", "banned"),
    [
        ([], []),
        ([1, 2, 3], []),
        ([1, 2, 3, 4, 9, 1, 2, 3], [4]),
        ([1, 2, 3, 4, 1, 2, 3, 5, 1, 2, 3], [4, 5]),
        ([7, 7, 7, 7], [7]),
    ],
)
def test_a_run_of_four_is_written_once(written: list[int], banned: list[int]) -> None:
    assert repeating(written) == banned


def test_what_is_written_without_chance_does_not_go_in_circles(model: HostModel) -> None:
    ids = [model.tokenizer.start.id, *model.tokenizer.encode("once upon a time")]
    written = list(islice(write(model, RIGHT, ids, Sampling()), 40))
    runs = [tuple(written[n : n + RUN]) for n in range(len(written) - RUN + 1)]
    assert len(runs) == len(set(runs))


def test_what_the_prompt_says_may_be_said_again(model: HostModel) -> None:
    told = "the dog ran to the barn . the dog ran"
    assert continued(model, told, 4) == "to the barn ."
