"""The attack corpus: every attack is held, and a machine that holds none is found out."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from attnpack.grade import selftest
from attnpack.grade.corpus import Attack, Targets, corpus
from attnpack.host import isolation
from attnpack.host.isolation import Isolation, Tier

REPOSITORY = Path(__file__).parents[2]

RUN = """
import json, sys
sys.path.append("tests/sandbox")
import lacking, plain_judge
from attnpack.grade import selftest
from attnpack.grade.corpus import corpus
{before}
chosen = [attack for attack in corpus() if attack.name in {names!r}]
verdicts = selftest.run(chosen, {judge})
print(json.dumps({{verdict.attack: verdict.complaints for verdict in verdicts}}))
"""


def complaints(user, names, judge, before=""):
    return user.python(RUN.format(names=names, judge=judge, before=before))


def test_there_are_as_many_attacks_as_promised():
    assert len(corpus()) >= 26 + 20
    assert len({attack.name for attack in corpus()}) == len(corpus())


@pytest.mark.parametrize("attack", corpus(), ids=lambda attack: attack.name)
def test_an_attack_says_what_it_tries(attack):
    assert attack.tries.endswith(".")
    assert "\n" not in attack.tries


@pytest.mark.parametrize(
    "attack", [a for a in corpus() if a.file.endswith(".py")], ids=lambda attack: attack.name
)
def test_an_attack_defines_the_seven_names(attack):
    defined = {
        node.name
        for node in ast.parse(attack.content(Targets())).body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
    }
    assert defined >= {"softmax", "attention_scores", "SelfAttention", "MultiHeadAttention"}


@pytest.mark.exhaustive
def test_the_whole_corpus_is_held_through_the_whole_judge(ordinary_user):
    """Root's attacks are asked while one exercise is judged: below."""
    code = "from attnpack.grade.selftest import main; raise SystemExit(main())"
    done = ordinary_user.run("-c", code)
    assert "NOT HELD" not in done.stdout
    assert f"{len(corpus())} attacks: {len(corpus())} held, 0 not held." in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.parametrize(
    "before",
    [
        pytest.param("", id="all mechanisms"),
        pytest.param(
            "lacking.without('namespaces')", id="no namespaces", marks=pytest.mark.exhaustive
        ),
    ],
)
def test_every_attack_is_held_while_one_exercise_is_judged(user, before):
    found = complaints(user, [attack.name for attack in corpus()], "plain_judge.confined", before)
    assert list(found) == [attack.name for attack in corpus()]
    assert {name: said for name, said in found.items() if said} == {}


@pytest.mark.parametrize(
    ("attack", "complaint"),
    [
        ("symlink", "/tmp/attnpack-selftest-"),
        ("network", "opened a connection"),
        ("mailbox_files", "left a file: /tmp/attnpack-owned-"),
        pytest.param("daemon", "left 1 processes", marks=pytest.mark.exhaustive),
        ("proc", "printed: "),
    ],
)
def test_what_an_unconfined_attack_gets_is_seen(user, attack, complaint, tmp_path):
    home = f"import os; os.environ['HOME'] = {str(tmp_path)!r}"
    found = complaints(user, [attack], "plain_judge.unconfined", home)
    for place in ("/tmp", "/var/tmp", "/dev/shm", "/run", REPOSITORY, REPOSITORY.parent, "/root"):
        for left in Path(place).glob("attnpack-owned-*"):
            left.unlink()
    assert any(said.startswith(complaint) for said in found[attack]), found


class Generous:
    """Gives every exercise away, or takes one from whoever is judged second."""

    def __init__(self, passed):
        self._passed = iter(passed)

    def check(self, submission, backend, seed, exercises, short_seed=None):
        from attnpack.report.model import ExerciseReport, Report
        from attnpack.terms import Status

        status = Status.PASSED if next(self._passed) else Status.FAILED
        return Report("0", "p", "full", "s", "numpy", seed, (ExerciseReport("softmax", status),))

    def close(self):
        pass


ATTACK = Attack("a.py", "Nothing.", lambda _: b"def softmax(scores):\n    return scores\n")


def test_a_mark_that_was_not_earned_is_seen():
    (verdict,) = selftest.run([ATTACK], lambda: Generous([True, True, True]))
    assert verdict.complaints == ("earned softmax",)
    assert not verdict.held


def test_a_neighbour_that_lost_a_mark_is_seen():
    (verdict,) = selftest.run([ATTACK], lambda: Generous([True, False, False]))
    assert verdict.complaints == ("the next submission: lost softmax",)


def test_on_a_weak_machine_no_attack_is_run(monkeypatch):
    weak = Isolation(Tier.PROCESS, isolation.probe().denials, {}, "no confinement is known here")
    monkeypatch.setattr(isolation, "probe", lambda: weak)
    lines = []
    assert selftest.main(lines.append, factory="nowhere:nothing") == selftest.NOT_HELD
    assert "Isolation on this machine: process" in lines
    assert "no confinement is known here" in "\n".join(lines)
