"""Likeness by winnowing: what survives a disguise, and that honest work is not alike."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
import time
from itertools import combinations
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "right"))
from variants import exercises_in, variants

from attnpack import pack
from attnpack.grade.alike import COMMON, FEWEST, THRESHOLD, alike
from attnpack.grade.copies import given_by
from attnpack.grade.fingerprints import GRAM, MOST, WINDOW, fingerprints, winnowed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

GIVEN = given_by(pack.load()).prints
ROUNDS = 20


def by_heading(backend: str, exercise: str) -> list[list[str]]:
    """The right variants, those of one heading together: they share what is not the alternative."""
    found: dict[str, list[str]] = {}
    for variant in variants(backend, exercise):
        found.setdefault(variant.name.partition(";")[0], []).append(variant.code)
    return list(found.values())


def classes(backend: str, random: Random) -> list[list[str]]:
    """Students no two of whom share a text: each has a heading of each exercise for their own."""
    headings = (by_heading(backend, exercise) for exercise in exercises_in(backend))
    shuffled = [random.sample(heading, len(heading)) for heading in headings]
    return [[random.choice(heading) for heading in one] for one in zip(*shuffled, strict=False)]


def like(*students: Sequence[str]) -> list[tuple[str, ...]]:
    prints = {f"s{at}": fingerprints(texts) for at, texts in enumerate(students)}
    return [group.members for group in alike(prints, GIVEN)]


def disguised(texts: Sequence[str]) -> list[str]:
    """Other names, other order, a print after every third assignment, comments."""
    changed = []
    for text in texts:
        lines = []
        for at, line in enumerate(text.splitlines()):
            lines.append(line)
            found = re.match(r"( +)(\w+) = [^(\[]*$", line)
            if found and at % 3 == 0:
                lines.append(f"{found[1]}print({found[2]})  # look")
        changed.append("\n".join(lines))
    return [re.sub(r"\b(scores|weights|e|mask|d_k)\b", r"my_\1", text) for text in changed[::-1]]


def test_a_shared_passage_is_noticed_and_a_short_one_never_is() -> None:
    random = Random(1)
    ours, theirs = ([str(random.random()) for _ in range(300)] for _ in range(2))
    for length, shared in ((GRAM + WINDOW - 1, True), (GRAM - 1, False)):
        both = theirs[:100] + ours[50 : 50 + length] + theirs[100:]
        assert bool(set(winnowed(ours)) & set(winnowed(both))) is shared


def test_names_comments_layout_and_order_change_nothing() -> None:
    texts = classes("numpy", Random(2))[0]
    renamed = [re.sub(r"\bscores\b", "s", text) + "\n# mine\n" for text in texts[::-1]]
    assert fingerprints(texts) == fingerprints(renamed)


@pytest.mark.parametrize("seed", range(5))
def test_a_copy_is_found_in_disguise_and_with_an_exercise_of_its_own(seed: int) -> None:
    first, second, other, *_ = classes("numpy", Random(seed))
    theirs = disguised(first)
    theirs[seed % len(theirs)] = second[len(theirs) - 1 - seed % len(theirs)]
    assert like(first, theirs, other) == [("s0", "s1")]


@pytest.mark.parametrize("backend", ["numpy", "torch"])
def test_right_work_of_different_hands_is_not_alike(backend: str) -> None:
    pairs, most = 0, 0.0
    for seed in range(ROUNDS):
        prints = [set(fingerprints(s)) - GIVEN for s in classes(backend, Random(seed))]
        assert all(len(each) >= FEWEST for each in prints)
        shares = [len(a & b) / min(len(a), len(b)) for a, b in combinations(prints, 2)]
        pairs, most = pairs + len(shares), max([most, *shares])
    assert pairs >= 100
    assert most < 0.4 < THRESHOLD


def test_what_many_have_is_nobodys_and_equal_ones_are_not_named_again() -> None:
    own = {f"s{at}": set(range(1000 * at, 1000 * at + FEWEST)) for at in range(20)}
    idiom = set(range(10**6, 10**6 + 3 * FEWEST))
    assert not alike({name: each | idiom for name, each in own.items()})
    few = {name: each | idiom if int(name[1:]) < COMMON else each for name, each in own.items()}
    [group] = alike(few)
    assert group.members == tuple(f"s{at}" for at in range(COMMON))
    assert alike(few, copies=[group.members]) == []
    assert alike({"a": own["s1"], "b": own["s1"], "c": own["s1"]}, copies=[["a", "b"]])[
        0
    ].members == ("a", "b", "c")


def test_too_little_of_ones_own_says_nothing() -> None:
    few = list(range(FEWEST - 1))
    assert not alike({"a": few, "b": few})
    assert not alike({"a": [*few, 99_999], "b": [*few, 99_999]}, given={0})


def test_a_thousand_submissions_take_seconds() -> None:
    random = Random(3)
    idioms = [random.getrandbits(32) for _ in range(3000)]
    prints = {
        f"s{at}": [*random.sample(idioms, 120), *(random.getrandbits(32) for _ in range(230))]
        for at in range(1000)
    }
    before = time.process_time()
    assert not alike(prints)
    assert time.process_time() - before < 20


def test_an_endless_text_has_no_more_fingerprints_than_fit() -> None:
    line = "def f{0}(x):\n    return x[{0}] + {0} * np.sin(x, axis={0})[{0}:] - g(x, {0})\n"
    text = "".join(line.format(at) for at in range(2000))
    assert len(fingerprints([text])) <= MOST
    assert fingerprints([text] * 5) == fingerprints([text])
    assert fingerprints([text * 2]) == ()


def test_page_table_and_report_name_the_group(graded: Callable[..., Path]) -> None:
    first, second, other, *_ = classes("numpy", Random(7))
    students = {"ada": first, "bob": [second[0], *first[1:]], "cid": other}
    folders = {
        f"{name}/{exercise}.py": text
        for name, texts in students.items()
        for exercise, text in zip(exercises_in("numpy"), texts, strict=True)
    }
    out = graded(folders)
    rows = {
        row["submission"]: row
        for row in csv.DictReader(io.StringIO((out / "grades.csv").read_text("utf-8-sig")))
    }
    assert re.fullmatch(r"like bob: \d+ %", rows["ada"]["flags"])
    assert re.fullmatch(r"like ada: \d+ %", rows["bob"]["flags"])
    assert rows["cid"]["flags"] == ""
    report = json.loads((out / "reports" / "ada.json").read_text())
    assert report["grading"]["flags"] == [rows["ada"]["flags"]]
    assert "of their fingerprints shared" in (out / "cohort.html").read_text()
