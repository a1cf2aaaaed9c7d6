"""What is seen of an expression, and what giving it another value does."""

from __future__ import annotations

from textwrap import dedent

import numpy as np
import pytest

from attnpack.calls import Answer, Call, Instead, Reload, Task
from attnpack.diagnosis.places.sites import Sites, sites_of
from attnpack.host.inprocess import run_in_process

SCORES = np.arange(6.0).reshape(2, 3)
SOURCE = dedent(
    """
    import numpy as np

    def helper(é, rows):
        out = np.zeros(é.shape)
        out[:] = é
        for i in range(rows):
            out[i] -= 1
        return out

    def attention_scores(scores):
        return scores + np.undefined

    class Kept:
        def value(self, kept):
            return kept

    def softmax(scores):
        scale = 2.0
        scale *= 2
        return helper(scores, len(scores)) * scale
    """
)


def sites(source: str = SOURCE) -> Sites:
    return sites_of({"a.py": source}, ("attention_scores",))


def number(text: str, source: str = SOURCE, kind: str = "evaluated") -> int:
    return next(s.number for s in sites(source).all if s.text == text and s.kind == kind)


def answer(question: Call, backend: str = "numpy", source: str = SOURCE) -> Answer:
    task = Task("softmax", "a.py", {"a.py": source}, backend, (question,), seen=sites(source).seen)
    return run_in_process(task).answers[question.key]


def given(text: str, *values: object, kind: str = "evaluated", **others: str) -> object:
    arrays = tuple(np.asarray(value) for value in values)
    place = number(text, others.get("source", SOURCE), kind)
    return answer(Call("c", "softmax", (SCORES,), instead=Instead(place, arrays)), **others)


def test_every_evaluation_is_seen_in_order_with_a_copy_of_its_value() -> None:
    seen = answer(Call("c", "softmax", (SCORES,), see=True)).seen
    told = [(sites().all[value.site].text, value.array.tolist()) for value in seen]
    written = [values for text, values in told if text == "out"]
    assert written[0] == np.zeros((2, 3)).tolist()
    assert written[1] == SCORES.tolist()
    assert written[-1] == (SCORES - 1).tolist()
    assert told[-1] == ("helper(scores, len(scores)) * scale", (4 * (SCORES - 1)).tolist())


def test_a_site_knows_its_place_in_characters_and_what_it_is_part_of() -> None:
    site = sites().all[number("é.shape")]
    assert (site.span.line, site.span.column, site.span.end_column) == (5, 19, 26)
    assert site.parent == number("np.zeros(é.shape)")
    assert site.function == "helper"


def test_other_exercises_are_left_as_they_are() -> None:
    assert not any(site.function == "attention_scores" for site in sites().all)
    assert any(site.function == "value" for site in sites().all)


def test_another_value_goes_on_through_the_code() -> None:
    came = given("é", np.ones((2, 3)))
    assert came.results[0].array.tolist() == np.zeros((2, 3)).tolist()


def test_evaluations_take_their_values_one_by_one_and_later_ones_keep_their_own() -> None:
    source = "def softmax(scores):\n    return [row.sum() for row in scores]\n"
    came = given("row.sum()", 7.0, source=source)
    assert came.results[0].array.tolist() == [7.0, 12.0]


def test_what_was_written_in_place_is_given_in_place_so_that_others_see_it() -> None:
    source = dedent(
        """
        import numpy as np
        def softmax(scores):
            out = np.zeros(3)
            view = out[1:]
            out[0] = 5
            return view
        """
    )
    came = given("out", [1.0, 2.0, 3.0], kind="written", source=source)
    assert came.results[0].array.tolist() == [2.0, 3.0]


def test_a_number_that_was_updated_is_given_under_its_name() -> None:
    came = given("scale", 10.0, kind="written")
    assert came.results[0].array.tolist() == (10 * (SCORES - 1)).tolist()


@pytest.mark.parametrize("backend", ["value", "torch"])
def test_values_are_of_the_backends_own_kind(backend: str) -> None:
    if backend == "torch":
        pytest.importorskip("torch")
    source = dedent(
        """
        def softmax(scores):
            made = [s for s in scores]
            assert type(made[0]) is type(scores[0])
            return made
        """
    )
    came = given("scores", np.ones((4, 3)), source=source, backend=backend)
    assert came.results[0].array.tolist() == np.ones((4, 3)).tolist()


def test_a_loop_of_many_numbers_is_seen_as_far_as_the_cap() -> None:
    source = "def softmax(scores):\n    return [i * 2.0 for i in range(1000)]\n"
    seen = answer(Call("c", "softmax", (SCORES,), see=True), source=source).seen
    assert len([v for v in seen if v.site == number("i * 2.0", source)]) == 256


def test_files_can_be_executed_anew_with_a_change() -> None:
    changed = SOURCE.replace("scale *= 2", "scale *= 3")
    questions = (
        Call("before", "softmax", (SCORES,)),
        Reload("reload", "a.py", changed),
        Call("after", "softmax", (SCORES,)),
        Reload("broken", "a.py", "def softmax("),
        Call("none", "softmax", (SCORES,)),
    )
    answers = run_in_process(Task("softmax", "a.py", {"a.py": SOURCE}, "numpy", questions)).answers
    assert answers["before"].arrays[0] is not None
    assert answers["after"].arrays[0] is not None
    assert answers["before"].arrays[0].tolist() == (4 * (SCORES - 1)).tolist()
    assert answers["after"].arrays[0].tolist() == (6 * (SCORES - 1)).tolist()
    assert answers["broken"].raised is not None
    assert answers["none"].outcome == "not_defined"
