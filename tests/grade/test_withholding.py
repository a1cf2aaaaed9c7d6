"""What a student is given holds no text of a solution, whatever the code prints or raises."""

from __future__ import annotations

import json

import pytest

from attnpack import pack
from attnpack.grade.jobs import Job, Settings
from attnpack.grade.judge import open_judge
from attnpack.grade.judging import judge_job
from attnpack.terms import Status

STEALS = """
import sys
import numpy as np

def _texts():
    frame = sys._getframe()
    while frame:
        for value in list(frame.f_locals.values()):
            for name in ("stand_ins", "_references"):
                found = getattr(value, name, None)
                if isinstance(found, dict) and found:
                    return "".join(found.values())
        frame = frame.f_back
    return ""

STOLEN = _texts()

def softmax(scores):
    print("mine")
    return scores * 0

def scaled_dot_product_attention(Q, K, V, mask=None):
    softmax(Q)
    print(STOLEN)
    raise ValueError(STOLEN)
"""
PRINTS = """
print("loading")
def softmax(scores):
    print(scores)
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exps / exps.sum(axis=-1, keepdims=True)
import numpy as np
"""


@pytest.fixture(scope="module")
def judge():
    opened = open_judge(Settings("", None, deadline_s=2.0))
    yield opened
    opened.close()


def judged(judge, text: str, **more: str):
    files = {"attention.py": text, **more}
    coded = {name: content.encode() for name, content in files.items()}
    return judge_job(judge, Job("s", coded, "numpy", 1, 2, 3)).report


def test_the_text_of_a_solution_that_stands_in_is_not_shown(judge):
    report = judged(judge, STEALS)
    by_name = {exercise.name: exercise for exercise in report.exercises}
    solution = pack.load().reference_path("numpy", "softmax.py").read_text("utf-8")
    told = json.dumps(report.to_json())
    for line in solution.splitlines():
        if len(line.strip()) > 30:
            assert json.dumps(line.strip())[1:-1] not in told
    attention = by_name["scaled_dot_product_attention"]
    assert attention.status == Status.ERROR
    assert attention.output == ""
    assert any("is not shown" in note.text for note in attention.notes)
    assert by_name["softmax"].output.count("mine")


def test_what_the_short_form_printed_is_not_shown(judge):
    report = judged(judge, PRINTS)
    assert report.exercises[0].status == Status.PASSED
    assert report.exercises[0].output == ""
