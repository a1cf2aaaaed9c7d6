"""Reports made by hand, for the renderers."""

from __future__ import annotations

from attnpack import pack
from attnpack.calls import Frame, Raised
from attnpack.pack.cards import Card
from attnpack.pack.kinds import Comparison, Note
from attnpack.report import words
from attnpack.report.model import CheckReport, ExerciseReport, NamedBug, Report
from attnpack.terms import Match, Status

SOFTMAX = """\
import numpy as np


def softmax(scores):
    scores = np.asarray(scores)
    e = np.exp(scores - scores.max(axis=0, keepdims=True))
    return e / e.sum(axis=0, keepdims=True)
"""
SCORES = """\
import numpy as np


def attention_scores(Q, K, d_k):
    return Q @ np.swapaxes(K, -1, -2)
"""
SOURCES = {"softmax.py": SOFTMAX, "attention_scores.py": SCORES}


def card(bug: str, title: str) -> Card:
    return Card(
        id=bug,
        family="softmax",
        title=title,
        does="The code normalises the wrong axis.",
        example="[[0.5, 0.5],\n [0.5, 0.5]]",
        hurts="Every key hands out one unit of weight over the queries, so a query can end up "
        "with none at all: its output is then close to zero, and nothing says so.",
        fix="Sum over the axis of the keys, which is the last one: √d_k has no part in it.",
        hints=("Which axis?", "The last one.", "axis=-1"),
        read=("Vaswani et al. 2017",),
    )


CARDS = {
    c.id: c
    for c in (
        card("softmax-over-queries", "softmax over the queries"),
        card("scale-missing", "missing scaling"),
        card("softmax-global-max", "one maximum for the whole table"),
    )
}


def passed(name: str, *stages: str, output: str = "") -> ExerciseReport:
    checks = tuple(CheckReport(stage, Status.PASSED) for stage in stages)
    return ExerciseReport(name, Status.PASSED, checks, output=output)


def skipped(name: str, because: str) -> ExerciseReport:
    return ExerciseReport(name, Status.SKIPPED, skipped_because=because)


def report(*exercises: ExerciseReport) -> Report:
    return Report("0.1.0", "sha256:0", "process", "work", "numpy", 7291, exercises)


WRONG_SOFTMAX = ExerciseReport(
    "softmax",
    Status.FAILED,
    (
        CheckReport("shapes", Status.PASSED),
        CheckReport(
            "row_sums",
            Status.FAILED,
            "rows do not sum to 1, columns do: row 0 sums to 1.284",
            bugs=(
                NamedBug("softmax-over-queries", Match.EXACT, "softmax.py", 6),
                NamedBug("softmax-global-max", Match.LIKELY, "softmax.py", 6),
            ),
            comparison=Comparison(
                call="softmax(scores) with scores (5, 7)",
                expected_shape=(5, 7),
                got_shape=(5, 7),
                got_dtype="float64",
                first_index=(0, 0),
                expected=0.25,
                got=0.2500000001,
                largest_difference=0.731,
                differing=35,
                size=35,
            ),
        ),
        CheckReport("values", Status.SKIPPED),
    ),
    output="scores (5, 7)\n\x1b[31mred\x1b[0m \x1b]0;title\x07text\n",
    file="softmax.py",
    line=4,
)
TWO_BUGS = ExerciseReport(
    "scaled_dot_product_attention",
    Status.FAILED,
    (
        CheckReport("shapes", Status.PASSED),
        CheckReport("row_sums", Status.PASSED),
        CheckReport("mask", Status.PASSED),
        CheckReport(
            "scaling",
            Status.FAILED,
            "every score is 2.000 times the reference: sqrt(d_k) for d_k = 4",
            bugs=(
                NamedBug("scale-missing", Match.EXACT, "attention_scores.py", 5, together=True),
                NamedBug("softmax-over-queries", Match.EXACT, "softmax.py", 7, together=True),
            ),
        ),
        CheckReport("values", Status.SKIPPED),
    ),
    stand_ins=("softmax",),
    notes=(Note("mask-renormalised", "zeroes weights and renormalises", "softmax.py", 5),),
)
RAISES = ExerciseReport(
    "MultiHeadAttention",
    Status.ERROR,
    (
        CheckReport(
            "shapes",
            Status.ERROR,
            bugs=(NamedBug("raises", Match.EXACT, "multi_head_attention.py", 31),),
            raised=Raised(
                "ValueError",
                "cannot reshape array of size 70 into shape (2,5,4)",
                (
                    Frame("multi_head_attention.py", 31, "forward", "heads = self.split(Q)"),
                    Frame("multi_head_attention.py", 22, "split", "return x.reshape(B, T, h)"),
                ),
            ),
        ),
    ),
)
NOT_STARTED = ExerciseReport(
    "causal_mask",
    Status.NOT_STARTED,
    (
        CheckReport(
            "shapes", Status.NOT_STARTED, words.not_started("causal_mask", "causal_mask.py", None)
        ),
    ),
    file="causal_mask.py",
)
NUMPY_STAGES = ("shapes", "row_sums", "mask", "scaling", "causal", "values")
STOPPED = report(
    WRONG_SOFTMAX, *(skipped(e.name, "softmax") for e in pack.load().chapters[0].exercises[1:])
)
MIXED = report(
    passed("softmax", "shapes", "row_sums", "values", output="hello\n" * 30),
    passed("attention_scores", "shapes", "scaling", "values"),
    NOT_STARTED,
    passed("apply_attention", "shapes", "values"),
    TWO_BUGS,
    passed("SelfAttention", *NUMPY_STAGES),
    RAISES,
)
ALL_PASSED = report(
    *(passed(e.name, *map(str, e.stages)) for e in pack.load().chapters[0].exercises)
)
REPORTS = {
    "stopped": STOPPED,
    "mixed": MIXED,
    "raises": report(RAISES),
    "not-started": report(NOT_STARTED),
    "all-passed": ALL_PASSED,
}
