"""The same marks on a busy machine: slow and talkative code that is right passes there too."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager

import pytest

from attnpack.calls import Answer, Build, Call, Fill, Forward, Outcome, Task, Transcript
from attnpack.checking.patience import asked_again
from attnpack.grade.jobs import Job, Settings
from attnpack.grade.judge import open_judge
from attnpack.grade.judging import judge_job

BURNERS = 8
BURN_S = 120
SLOW = b"""
import time
import numpy as np

def softmax(scores):
    until = time.process_time() + 0.1
    while time.process_time() < until:
        pass
    for _ in range(3000):
        print("so far so good " * 5)
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exps / exps.sum(axis=-1, keepdims=True)
"""


@contextmanager
def busy():
    """Processes that compute, for as long as this is open and never for long."""
    burn = f"import time\nwhile time.process_time() < {BURN_S}: pass"
    burners = [subprocess.Popen([sys.executable, "-S", "-c", burn]) for _ in range(BURNERS)]
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()


@pytest.mark.exhaustive
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere only wall time is known")
def test_right_but_slow_and_talkative_code_passes_on_a_busy_machine():
    judge = open_judge(Settings("", None, deadline_s=0.3))
    job = Job("s", {"softmax.py": SLOW}, "numpy", seed=1, common_seed=2, short_seed=3)
    try:
        with busy():
            judged = judge_job(judge, job)
    finally:
        judge.close()
    assert judged.report
    assert judged.report.exercises[0].status == "passed", judged.report.exercises[0]


QUESTIONS = (
    Call("a/0", "softmax", ()),
    Build("b/build", "s", "SelfAttention", (4,)),
    Fill("b/fill", "s", {}),
    Forward("b/out", "s", ()),
    Call("c/0", "softmax", ()),
)


class Slow:
    """Guests in which some calls run out of time, so often and no more."""

    def __init__(self, **times: int) -> None:
        self.left = {key.replace("_", "/"): count for key, count in times.items()}
        self.asked: list[list[str]] = []

    def __call__(self, task: Task) -> Transcript:
        self.asked.append([question.key for question in task.questions])
        loaded, *outcomes = self._outcomes(["loaded", *self.asked[-1]])
        answers = {
            question.key: Answer(question.key, outcome)
            for question, outcome in zip(task.questions, outcomes, strict=True)
        }
        return Transcript(Answer("loaded", loaded), answers)

    def _outcomes(self, keys: list[str]) -> list[Outcome]:
        found: list[Outcome] = []
        for key in keys:
            if found and found[-1] is not Outcome.RETURNED:
                found.append(Outcome.NOT_REACHED)
            elif self.left.get(key):
                self.left[key] -= 1
                found.append(Outcome.TIMED_OUT)
            else:
                found.append(Outcome.RETURNED)
        return found


def outcomes_with(guests: Slow) -> list[Outcome]:
    task = Task("softmax", "softmax.py", {}, "numpy", QUESTIONS)
    said = asked_again(task, guests(task), guests)
    return [said.loaded.outcome, *(said.answers[question.key].outcome for question in QUESTIONS)]


def test_a_call_that_runs_out_of_time_once_is_asked_again_alone_and_so_is_what_came_after():
    guests = Slow(b_out=1)
    assert outcomes_with(guests) == [Outcome.RETURNED] * 6
    assert guests.asked[1:] == [["b/build", "b/fill", "b/out"], ["c/0"]]


def test_loading_that_runs_out_of_time_once_is_done_again():
    assert outcomes_with(Slow(loaded=1)) == [Outcome.RETURNED] * 6


def test_several_slow_calls_are_each_asked_again():
    assert outcomes_with(Slow(a_0=1, b_out=1, c_0=1)) == [Outcome.RETURNED] * 6


def test_a_call_that_runs_out_of_time_twice_has_run_out_of_time():
    said = outcomes_with(Slow(b_out=2))
    assert said[3:] == [Outcome.RETURNED, Outcome.TIMED_OUT, Outcome.NOT_REACHED]
    assert outcomes_with(Slow(loaded=2))[0] is Outcome.TIMED_OUT


def test_what_leads_to_the_rest_and_runs_out_of_time_itself_is_not_passed_over():
    """A build that is slow when it is asked for again."""

    class Moody(Slow):
        def __call__(self, task: Task) -> Transcript:
            if len(self.asked) == 2:
                self.left["b/build"] = 9
            return super().__call__(task)

    assert Outcome.TIMED_OUT in outcomes_with(Moody(b_fill=1))
