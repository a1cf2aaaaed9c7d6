"""Whatever a guest sends: answers or an end put in words, and never more memory than the caps."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
import tracemalloc
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from effort import examples
from hypothesis import example, given
from hypothesis import strategies as st
from mutating import mutated

from attnpack.calls import Build, Call, Fill, Forward, Outcome, Task
from attnpack.guest import request as requests
from attnpack.guest.protocol import (
    ITEM_SIZES,
    MAX_NDIM,
    MAX_REPLY_BODY,
    MAX_REPLY_HEADER,
    MAX_REQUEST_BODY,
    MAX_REQUEST_HEADER,
    MAX_TASK_NUMBERS,
    READY,
    Body,
    FrameReader,
    ProtocolError,
    frame,
    take,
)
from attnpack.host import encode
from attnpack.host.conversation import Conversation
from attnpack.host.decode import MAX_EVENTS, Collected
from attnpack.host.launch import Ended

if TYPE_CHECKING:
    from collections.abc import Iterator

X = np.linspace(-1.0, 1.0, 12).reshape(3, 4)  # (T, D)
TASK = Task(
    "softmax",
    "a.py",
    {"a.py": "def softmax(scores): ..."},
    "numpy",
    (
        Call("one", "softmax", (X, True, np.float64(2.0), None), cotangents=(X, None)),
        Build("two", "slot", "SelfAttention", (4,), {"causal": True}),
        Fill("three", "slot", {"W_q": X}),
        Forward("four", "slot", (X,), trace=True),
    ),
    stand_ins={"softmax": "def softmax(scores): ..."},
)
KEYS = [question.key for question in TASK.questions]


def answer(index: int, **others: Any) -> bytes:
    body = Body()
    header = {
        "frame": "answer",
        "index": index,
        "outcome": "returned",
        "form": "one",
        "results": [[body.add(X), "float64", "array"]],
        "changed": {"0": body.add(X > 0)},
        "gradients": {"0": body.add(X), "1": None},
        "facts": {"matrices": {"W_q": [4, 4]}, "called_at": ["a.py", 3], "missing": ["W_o"]},
        **others,
    }
    return frame(header, body)


def event() -> bytes:
    body = Body()
    named = {"file": "a.py", "line": 1, "function": "f", "name": "x", "depth": 0}
    return frame({"frame": "event", "array": body.add(X), **named}, body)


RAISED = {
    "type": "ValueError",
    "message": "no",
    "frames": [{"file": "a.py", "line": 2, "function": "f", "text": "x"}],
}
FRAMES = [
    answer(-1, results=[], changed={}, gradients={}),
    answer(0),
    answer(1),
    answer(2, outcome="raised", raised=RAISED, changed={}),
    event(),
    event(),
    answer(3, backward_raised=RAISED),
    frame({"frame": "done", "stand_ins_used": ["softmax", "other"], "stand_ins_refused": []}),
]
STREAM = b"".join(FRAMES)


class Forger:
    """A guest that says exactly these bytes, in pieces."""

    pid = 0
    heard = 0

    def __init__(self, data: bytes, step: int) -> None:
        self._pieces = [data[at : at + step] for at in range(0, len(data), step)]

    def send(self, data: bytes) -> None:
        pass

    def receive(self, timeout_s: float) -> bytes:
        return self._pieces.pop(0) if self._pieces else b""

    def end(self) -> Ended:
        return Ended("exit code 0", by_host=False)

    def output(self) -> str:
        return ""


def heard(data: bytes, step: int = 1 << 16) -> list[Outcome]:
    """How the questions ended, after a guest that was ready said this."""
    said = Conversation(Forger(READY + data, step), TASK, confined=False).finish()
    assert said.fault is None
    assert list(said.answers) == KEYS
    for one in (said.loaded, *said.answers.values()):
        assert one.outcome is not Outcome.TIMED_OUT
        assert len(one.events) <= MAX_EVENTS
    return [said.answers[key].outcome for key in KEYS]


def test_the_stream_that_is_mutated_here_is_right() -> None:
    assert heard(STREAM) == [Outcome.RETURNED, Outcome.RETURNED, Outcome.RAISED, Outcome.RETURNED]


@examples(400)
@given(mutated(STREAM), st.sampled_from([1 << 16, 700, 5]))
def test_a_stream_that_was_hit_is_heard_to_an_end(data: bytes, step: int) -> None:
    heard(data, step)


@examples(200)
@given(st.lists(st.sampled_from(FRAMES) | st.binary(max_size=30), max_size=12))
def test_frames_in_any_order_doubled_or_left_out_are_heard_to_an_end(pieces: list[bytes]) -> None:
    outcomes = heard(b"".join(pieces))
    reached = [outcome is not Outcome.NOT_REACHED for outcome in outcomes]
    assert reached == sorted(reached, reverse=True)


@examples(60)
@given(st.integers(0, len(STREAM) - 1))
def test_a_stream_cut_anywhere_keeps_the_answers_before_the_cut(end: int) -> None:
    ends = np.cumsum([len(piece) for piece in FRAMES])
    whole = sum(int(bound) <= end for bound in ends[[1, 2, 3, 6]])
    outcomes = heard(STREAM[:end])
    assert Outcome.ENDED not in outcomes[:whole]
    assert all(o in (Outcome.ENDED, Outcome.NOT_REACHED) for o in outcomes[whole:])


@examples(150)
@given(st.binary(max_size=200))
def test_any_first_words_are_a_fault_in_words(data: bytes) -> None:
    said = Conversation(Forger(data, 7), TASK, confined=True).finish()
    assert said.fault
    assert said.fault.isprintable()
    assert {answer.outcome for answer in said.answers.values()} <= {Outcome.NOT_REACHED}


sizes = st.integers(-1, 5) | st.sampled_from([2**15, 2**30, 2**31, 2**63, 10**30])


@examples(400)
@given(
    st.sampled_from([*ITEM_SIZES, "|O", "<f16", "<c16", "<U9", ">f8", "<M8"]),
    st.lists(sizes, max_size=MAX_NDIM + 1),
    sizes,
    st.integers(0, 64),
)
@example("<f8", [0, 2**30, 2**30, 2**30], 0, 0)
@example("|b1", [2**30, 2**30, 2**30, 0], 2**30, 0)
def test_whatever_a_reference_claims_nothing_is_made_that_is_not_in_the_frame(
    dtype: str, shape: list[int], offset: int, length: int
) -> None:
    body = memoryview(bytes(length))
    tracemalloc.start()
    try:
        array = take([dtype, shape, offset], body)
        assert array.nbytes <= length
        assert not array.flags.writeable or array.size == 0
    except ProtocolError:
        pass
    finally:
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert most < 1 << 16


@examples(100)
@given(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1), st.binary(max_size=64))
@example(MAX_REPLY_HEADER, MAX_REPLY_BODY, b"")
@example(MAX_REPLY_HEADER + 1, 0, b"")
@example(0, MAX_REPLY_BODY + 1, b"")
@example(2**32 - 1, 2**32 - 1, b"")
def test_whatever_lengths_a_frame_claims_only_what_came_is_kept(
    header: int, body: int, rest: bytes
) -> None:
    reader = FrameReader(MAX_REPLY_HEADER, MAX_REPLY_BODY)
    tracemalloc.start()
    try:
        reader.feed(struct.pack("<II", header, body) + rest)
        list(reader.frames())
    except ProtocolError:
        pass
    finally:
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert most < 1 << 16


def test_more_events_or_bytes_than_a_task_may_take_are_refused() -> None:
    collected = Collected(TASK)
    for piece in FRAMES[:4]:
        for header, body in _frames(piece):
            collected.accept(header, body)
    [(header, body)] = _frames(event())
    for _ in range(MAX_EVENTS):
        collected.accept(header, body)
    with pytest.raises(ProtocolError):
        collected.accept(header, body)
    large = memoryview(bytes(MAX_REPLY_BODY))
    greedy = Collected(TASK)
    for piece in FRAMES[:4]:
        for first, first_body in _frames(piece):
            greedy.accept(first, first_body)
    for _ in range(MAX_TASK_NUMBERS * 8 // MAX_REPLY_BODY - 1):
        greedy.accept(header, large)
    with pytest.raises(ProtocolError):
        greedy.accept(header, large)


def _frames(data: bytes) -> list[tuple[dict[str, Any], memoryview]]:
    reader = FrameReader(MAX_REPLY_HEADER, MAX_REPLY_BODY)
    reader.feed(data)
    return list(reader.frames())


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)
HEADERS = [json.loads(piece[8 : 8 + struct.unpack_from("<I", piece)[0]]) for piece in FRAMES]


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        yield (*path, key)
        if isinstance(item, dict | list):
            yield from _places(item, (*path, key))


PLACES = [(number, path) for number, header in enumerate(HEADERS) for path in _places(header)]


@examples(500)
@given(st.sampled_from(PLACES), json_values)
def test_any_value_at_any_place_of_any_header_is_taken_or_an_end(
    place: tuple[int, tuple[Any, ...]], value: Any
) -> None:
    number, path = place
    header = json.loads(json.dumps(HEADERS[number]))
    inner = header
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    body = FRAMES[number][8 + struct.unpack_from("<I", FRAMES[number])[0] :]
    encoded = json.dumps(header).encode()
    forged = struct.pack("<II", len(encoded), len(body)) + encoded + body
    heard(b"".join([*FRAMES[:number], forged, *FRAMES[number + 1 :]]))


@pytest.mark.parametrize(("index", "position"), [(0, 4), (0, 50), (2, 0), (3, 1)])
def test_a_change_of_an_argument_that_was_not_given_is_an_end(index: int, position: int) -> None:
    body = Body()
    changed = {str(position): body.add(X)}
    header = {"frame": "answer", "index": index, "outcome": "returned", "changed": changed}
    assert heard(b"".join([*FRAMES[: index + 1], frame(header, body)]))[index] is Outcome.ENDED


def test_an_exception_of_which_nothing_is_told_is_an_end() -> None:
    header = {"frame": "answer", "index": 0, "outcome": "raised", "raised": None}
    assert heard(FRAMES[0] + frame(header))[0] is Outcome.ENDED


def test_a_request_comes_out_of_its_frame_as_it_went_in() -> None:
    reader = FrameReader(MAX_REQUEST_HEADER, MAX_REQUEST_BODY)
    reader.feed(encode.request(TASK))
    [(header, body)] = list(reader.frames())
    request = requests.decode(header, body)
    assert [str(question.ask) for question in request.questions] == [
        "call", "build", "fill", "forward",
    ]  # fmt: skip
    np.testing.assert_array_equal(request.questions[0].arguments[0], X)


@examples(100)
@given(mutated(encode.request(TASK)))
def test_a_request_that_was_hit_is_waited_for_read_or_refused(data: bytes) -> None:
    reader = FrameReader(MAX_REQUEST_HEADER, MAX_REQUEST_BODY)
    reader.feed(data)
    try:
        for header, body in reader.frames():
            requests.decode(header, body)
    except (ProtocolError, KeyError, TypeError, ValueError, AttributeError):
        return  # the host is trusted: any exception ends the guest, and none of them hangs it


@pytest.mark.parametrize("end", [3, 200, -1])
def test_a_guest_whose_request_never_comes_whole_ends_with_its_pipe(end: int) -> None:
    code = "from attnpack.guest.serve import serve; serve(0, 1)"
    data = encode.request(TASK)[:end]
    ran = subprocess.run(
        [sys.executable, "-c", code], input=data, capture_output=True, timeout=120, check=False
    )
    assert (ran.returncode, ran.stdout) == (0, b"")
