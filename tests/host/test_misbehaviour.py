"""Learner code that ends, hangs or floods its process costs its own task and no other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from attnpack.calls import Call, Outcome, Task

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from attnpack.host.pool import GuestPool

    Build = Callable[..., Task]

SCORES = np.ones((2, 3))
TWICE = (Call("first", "softmax", (SCORES,)), Call("second", "softmax", (SCORES,)))


@pytest.fixture(autouse=True)
def the_next_task_works(pool: GuestPool, softmax_task: Build) -> Iterator[None]:
    yield
    after = pool.run(softmax_task("def softmax(scores): return scores"))
    assert after.answers["call"].outcome is Outcome.RETURNED


def test_a_segfault_ends_its_own_task(pool: GuestPool, softmax_task: Build) -> None:
    source = """
        import ctypes
        def softmax(scores):
            ctypes.string_at(0)
    """
    ran = pool.run(softmax_task(source, *TWICE))
    assert ran.loaded.outcome is Outcome.RETURNED
    assert ran.answers["first"].outcome is Outcome.ENDED
    assert ran.answers["first"].facts["ended"] == "signal SIGSEGV"
    assert ran.answers["second"].outcome is Outcome.NOT_REACHED
    assert ran.fault is None


def test_os_exit_in_a_call_is_an_end_with_its_code(pool: GuestPool, softmax_task: Build) -> None:
    source = """
        import os
        def softmax(scores):
            os._exit(0)
    """
    ran = pool.run(softmax_task(source))
    assert ran.answers["call"].outcome is Outcome.ENDED
    assert ran.answers["call"].facts["ended"] == "exit code 0"


def test_os_exit_while_loading_ends_the_loading(pool: GuestPool, softmax_task: Build) -> None:
    ran = pool.run(softmax_task("import os; os._exit(3)"))
    assert ran.loaded.outcome is Outcome.ENDED
    assert ran.loaded.facts["ended"] == "exit code 3"
    assert ran.answers["call"].outcome is Outcome.NOT_REACHED


@pytest.mark.parametrize("ending", ["import sys; sys.exit(0)", "raise KeyboardInterrupt"])
def test_exceptions_that_would_end_a_program_are_raised_ones(
    pool: GuestPool, softmax_task: Build, ending: str
) -> None:
    ran = pool.run(softmax_task(f"def softmax(scores):\n    {ending}\n", *TWICE))
    raised = ran.answers["first"].raised
    assert raised is not None
    assert raised.type in {"SystemExit", "KeyboardInterrupt"}
    assert raised.frames[-1].line == 2
    assert ran.answers["second"].outcome is Outcome.RAISED


@pytest.mark.parametrize(
    "loop", ["while True: pass", "sum(range(10**12))", "import time; time.sleep(60)"]
)
def test_a_call_that_does_not_return_times_out(
    pool: GuestPool, softmax_task: Build, loop: str
) -> None:
    source = f"def softmax(scores):\n    print('begun')\n    {loop}\n"
    ran = pool.run(softmax_task(source, *TWICE, deadline_s=0.3))
    assert ran.answers["first"].outcome is Outcome.TIMED_OUT
    assert ran.answers["second"].outcome is Outcome.NOT_REACHED
    assert ran.output == "begun\n"
    assert ran.fault is None


def test_a_loop_at_the_top_of_the_file_times_out(pool: GuestPool, softmax_task: Build) -> None:
    ran = pool.run(softmax_task("while True: pass", deadline_s=0.3))
    assert ran.loaded.outcome is Outcome.TIMED_OUT


@pytest.mark.exhaustive
def test_many_slow_calls_end_at_the_total_time(pool: GuestPool, softmax_task: Build) -> None:
    source = """
        import time
        def softmax(scores):
            time.sleep(0.25)
    """
    calls = [Call(str(i), "softmax", (SCORES,)) for i in range(40)]
    ran = pool.run(softmax_task(source, *calls, deadline_s=0.5))
    ended = [answer.outcome for answer in ran.answers.values()]
    assert ended[0] is Outcome.RETURNED
    assert Outcome.TIMED_OUT in ended
    assert ended[-1] is Outcome.NOT_REACHED


def test_recursion_without_end_is_raised_with_a_short_traceback(
    pool: GuestPool, softmax_task: Build
) -> None:
    ran = pool.run(softmax_task("def softmax(scores): return softmax(scores)", *TWICE))
    raised = ran.answers["first"].raised
    assert raised is not None
    assert raised.type == "RecursionError"
    assert 1 < len(raised.frames) <= 12
    assert ran.answers["second"].outcome is Outcome.RAISED


def test_more_memory_than_there_is_raises(pool: GuestPool, softmax_task: Build) -> None:
    source = """
        import numpy as np
        def softmax(scores):
            return np.ones((10**7, 10**7))
    """
    raised = pool.run(softmax_task(source)).answers["call"].raised
    assert raised is not None
    assert "MemoryError" in raised.type


def test_a_result_too_large_to_send_comes_without_its_array(
    pool: GuestPool, softmax_task: Build
) -> None:
    source = """
        import numpy as np
        def softmax(scores):
            return np.zeros((3000, 3000))
    """
    answer = pool.run(softmax_task(source)).answers["call"]
    assert answer.outcome is Outcome.RETURNED
    assert answer.results[0].array is None
    assert answer.results[0].kind == "array"


def test_a_flood_of_output_is_cut_with_a_mark(pool: GuestPool, softmax_task: Build) -> None:
    source = """
        import os
        def softmax(scores):
            for _ in range(3000):
                print("x" * 500)
            os.write(1, b"straight")
            return scores
    """
    ran = pool.run(softmax_task(source))
    assert ran.answers["call"].outcome is Outcome.RETURNED
    assert 64 << 10 <= len(ran.output) < 70_000
    assert "output cut here" in ran.output


def test_what_is_printed_comes_in_order_from_either_stream(
    pool: GuestPool, softmax_task: Build
) -> None:
    source = """
        import os, sys
        print("loading")
        def softmax(scores):
            print("calling", end=" ")
            print("errors", file=sys.stderr)
            os.write(1, b"straight\\n")
            return scores
    """
    ran = pool.run(softmax_task(source))
    assert sorted(ran.output.split()) == ["calling", "errors", "loading", "straight"]


def test_standard_input_is_empty(pool: GuestPool, softmax_task: Build) -> None:
    raised = pool.run(softmax_task("def softmax(scores): input()")).answers["call"].raised
    assert raised is not None
    assert raised.type == "EOFError"


def test_closing_every_descriptor_is_an_end(pool: GuestPool, softmax_task: Build) -> None:
    source = """
        import os
        def softmax(scores):
            os.closerange(0, 200)
            return scores
    """
    ran = pool.run(softmax_task(source, deadline_s=1.0))
    assert ran.answers["call"].outcome is Outcome.ENDED
    assert ran.fault is None


def test_bytes_written_into_the_reply_channel_are_no_answer(
    pool: GuestPool, softmax_task: Build
) -> None:
    source = """
        import os
        def softmax(scores):
            for descriptor in range(3, 64):
                try:
                    os.write(descriptor, b"\\xff" * 64)
                except OSError:
                    pass
            return scores
    """
    ran = pool.run(softmax_task(source, *TWICE))
    assert ran.answers["first"].outcome is Outcome.ENDED
    assert "no answer" in ran.answers["first"].facts["ended"]


def test_signals_that_are_ignored_do_not_keep_a_guest_alive(
    pool: GuestPool, softmax_task: Build
) -> None:
    source = """
        import signal, time
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_IGN)
        def softmax(scores):
            while True:
                try:
                    time.sleep(100)
                except BaseException:
                    pass
    """
    assert pool.run(softmax_task(source, deadline_s=0.3)).answers["call"].outcome is (
        Outcome.TIMED_OUT
    )
