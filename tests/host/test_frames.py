"""Whatever bytes a guest sends, the host takes answers in turn or says that they are none."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attnpack.calls import Call, Outcome, Task
from attnpack.guest.protocol import (
    ITEM_SIZES,
    MAX_REPLY_BODY,
    MAX_REPLY_HEADER,
    READY,
    Body,
    FrameReader,
    ProtocolError,
    frame,
    take,
)
from attnpack.host.conversation import Conversation
from attnpack.host.decode import Collected
from attnpack.host.launch import Ended

TASK = Task(
    "softmax",
    "a.py",
    {"a.py": ""},
    "numpy",
    (Call("one", "softmax", (1.0,)), Call("two", "softmax", (1.0,), trace=True)),
)
ANSWER: dict[str, Any] = {
    "frame": "answer",
    "index": -1,
    "outcome": "returned",
    "form": "one",
    "results": [],
    "raised": None,
    "changed": {},
    "gradients": {},
    "backward_raised": None,
    "facts": {},
}


def reader() -> FrameReader:
    return FrameReader(MAX_REPLY_HEADER, MAX_REPLY_BODY)


class Forger:
    """A guest that says exactly these bytes."""

    def __init__(self, pieces: list[bytes]) -> None:
        self.pid = self.heard = 0
        self._pieces = [READY, *(piece for piece in pieces if piece)]

    def send(self, data: bytes) -> None:
        pass

    def receive(self, timeout_s: float) -> bytes:
        return self._pieces.pop(0) if self._pieces else b""

    def end(self) -> Ended:
        return Ended("exit code 0", by_host=False)

    def output(self) -> str:
        return ""


def outcomes(*pieces: bytes) -> list[Outcome]:
    ran = Conversation(Forger(list(pieces)), TASK, confined=False).finish()
    assert ran.fault is None
    assert set(ran.answers) == {"one", "two"}
    return [ran.loaded.outcome, *(answer.outcome for answer in ran.answers.values())]


def loaded() -> bytes:
    return frame(ANSWER)


@given(st.lists(st.binary(max_size=200), max_size=6))
def test_any_bytes_at_all_end_the_task_and_nothing_else(pieces: list[bytes]) -> None:
    assert outcomes(*pieces)[0] is Outcome.ENDED
    assert outcomes(loaded(), *pieces)[:2] == [Outcome.RETURNED, Outcome.ENDED]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(st.sampled_from(sorted(ANSWER)), json_values, st.binary(max_size=40))
def test_any_value_in_any_field_is_an_answer_or_an_end(key: str, value: Any, body: bytes) -> None:
    header = {**ANSWER, key: value}
    collected = Collected(TASK)
    try:
        collected.accept(header, memoryview(body))
    except ProtocolError:
        assert collected.loaded is None


@given(st.dictionaries(st.text(max_size=8), json_values, max_size=5), st.binary(max_size=40))
def test_any_header_is_taken_or_refused(header: dict[str, Any], body: bytes) -> None:
    for kind in ("answer", "event", "done", "other"):
        with pytest.raises(ProtocolError):
            Collected(TASK).accept({**header, "frame": kind}, memoryview(body))


@given(json_values, st.binary(max_size=64))
def test_any_reference_is_an_array_within_the_frame_or_refused(value: Any, body: bytes) -> None:
    try:
        array = take(value, memoryview(body))
    except ProtocolError:
        return
    assert array.nbytes <= len(body)


@given(
    st.sampled_from(sorted(ITEM_SIZES)),
    st.lists(st.integers(0, 4), max_size=8),
    st.integers(1, 7),
)
def test_every_dtype_and_shape_travels_in_pieces_of_any_size(
    dtype: str, shape: list[int], step: int
) -> None:
    array = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    body = Body()
    reference = body.add(array)
    sent = frame({"array": reference}, body)
    incoming = reader()
    received = []
    for start in range(0, len(sent), step):
        incoming.feed(sent[start : start + step])
        received += [take(header["array"], data) for header, data in incoming.frames()]
    assert len(received) == 1
    assert (received[0].dtype, received[0].shape) == (array.dtype, array.shape)
    np.testing.assert_array_equal(received[0], array)


@pytest.mark.parametrize(
    "lengths", [(MAX_REPLY_HEADER + 1, 0), (2, MAX_REPLY_BODY + 1), (2**32 - 1, 2**32 - 1)]
)
def test_lengths_beyond_the_caps_are_refused_before_the_bytes_come(
    lengths: tuple[int, int],
) -> None:
    incoming = reader()
    incoming.feed(struct.pack("<II", *lengths))
    with pytest.raises(ProtocolError):
        list(incoming.frames())


@pytest.mark.parametrize(
    "reference",
    [
        ["<f8", [2**40, 2**40], 0],
        ["<f8", [-1], 0],
        ["<f8", [True], 0],
        ["<f8", [1.0], 0],
        ["<f8", [1], -8],
        ["<f8", [1] * 9, 0],
        ["|O", [1], 0],
        [["<f8"], [1], 0],
        ["<f8", [2], 0],
    ],
)
def test_lies_about_an_array_are_refused(reference: list[Any]) -> None:
    with pytest.raises(ProtocolError):
        take(reference, memoryview(bytes(8)))


def test_a_deeply_nested_header_is_refused() -> None:
    incoming = reader()
    header = b"[" * 4000
    incoming.feed(struct.pack("<II", len(header), 0) + header)
    with pytest.raises(ProtocolError):
        list(incoming.frames())


def test_answers_out_of_turn_repeated_or_after_the_end_are_an_end() -> None:
    second = frame({**ANSWER, "index": 1})
    done = frame({"frame": "done", "stand_ins_used": [], "stand_ins_refused": []})
    assert outcomes(loaded(), second)[1] is Outcome.ENDED
    assert outcomes(loaded(), loaded())[1] is Outcome.ENDED
    assert outcomes(loaded(), done)[1] is Outcome.ENDED
    assert outcomes(done)[0] is Outcome.ENDED


@pytest.mark.parametrize("outcome", ["timed_out", "ended", "not_reached", "passed", ""])
def test_a_guest_cannot_say_what_only_the_host_can_tell(outcome: str) -> None:
    assert outcomes(frame({**ANSWER, "outcome": outcome}))[0] is Outcome.ENDED


def test_a_trace_that_nobody_asked_for_is_an_end() -> None:
    body = Body()
    event = {"frame": "event", "file": "a", "line": 1, "function": "f", "name": "x", "depth": 0}
    sent = frame({**event, "array": body.add(np.zeros(1)), "attached": True}, body)
    assert outcomes(loaded(), sent)[1] is Outcome.ENDED


@pytest.mark.parametrize(
    "values",
    [[[0, 0, ["<f8", [1], 0]]], [], [[0, 0]], [["a", 0, None]], "no list"],
    ids=["well formed", "none", "cut", "of no site", "no list"],
)
def test_values_that_nobody_asked_to_see_are_an_end(values: Any) -> None:
    assert outcomes(loaded(), frame({"frame": "seen", "values": values}))[1] is Outcome.ENDED


def test_an_answer_cut_off_in_the_middle_is_no_answer() -> None:
    whole = frame({**ANSWER, "index": 0})
    assert outcomes(loaded(), whole[:-3])[1] is Outcome.ENDED
    assert outcomes(loaded(), whole)[1] is Outcome.RETURNED


@pytest.mark.parametrize(
    "facts",
    [
        {"matrices": 5},
        {"matrices": {"W_q": "large"}},
        {"matrices": {"W_q": [-1]}},
        {"missing": "W_q"},
        {"same": [["W_q"], 3]},
        {"called": [None]},
        {"called_at": ["a.py"]},
        {"module": "yes"},
    ],
)
def test_facts_without_their_form_are_an_end(facts: dict[str, Any]) -> None:
    assert outcomes(frame({**ANSWER, "facts": facts}))[0] is Outcome.ENDED


def test_facts_that_the_host_does_not_know_are_dropped() -> None:
    collected = Collected(TASK)
    collected.accept({**ANSWER, "facts": {"passed": True, "missing": ["W_o"]}}, memoryview(b""))
    assert collected.loaded is not None
    assert collected.loaded.facts == {"missing": ["W_o"]}
