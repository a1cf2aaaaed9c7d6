"""The tier of a machine is what was denied there, as root and as an ordinary user."""

from __future__ import annotations

import json

import pytest
from lacking import LACKING

from attnpack.guest.confine.attempts import ATTEMPTS
from attnpack.guest.confine.policy import Confinement, Policy, Tier
from attnpack.host import isolation
from attnpack.host.isolation import Denial, Isolation, IsolationError

PROBE = """
import json
from dataclasses import asdict
from attnpack.host import isolation
{lack}
print(json.dumps(isolation.probe().to_json()))
"""


def probe(user, *lacking):
    """The probe's result where the confined process lacks some mechanisms."""
    lack = ""
    if lacking:
        patches = "\n".join(LACKING[name] for name in lacking)
        lack = f'''
isolation._IN_THE_CHILD = """
import sys
sys.path.insert(0, sys.argv[1])
from attnpack.guest.confine import namespaces, landlock, seccomp
{patches}
""" + isolation._IN_THE_CHILD
'''
    return user.python(PROBE.format(lack=lack))


def not_denied(found):
    return [d["name"] for d in found["denials"] if not d["denied"]]


def test_everything_forbidden_is_denied(user):
    if not user.may_enter_namespaces:
        pytest.skip("this kernel gives this user no namespaces")
    found = probe(user)
    assert not_denied(found) == []
    assert found["tier"] == "full"


def test_without_namespaces_it_is_contained(user):
    found = probe(user, "namespaces")
    if found["inforce"]["landlock"] is None:
        pytest.skip("this kernel has no Landlock")
    contained = {attempt.name for attempt in ATTEMPTS if attempt.tier is Tier.CONTAINED}
    assert not contained & set(not_denied(found))
    assert found["tier"] == "contained"


def test_without_landlock_the_view_denies_the_same(user):
    if not user.may_enter_namespaces:
        pytest.skip("this kernel gives this user no namespaces")
    found = probe(user, "Landlock")
    assert found["inforce"]["view"]
    assert not_denied(found) == []


def test_without_both_files_can_be_read_and_the_tier_says_so(user):
    found = probe(user, "namespaces", "Landlock")
    assert {"read a file", "read attnpack's own files"} <= set(not_denied(found))
    assert found["tier"] == "process"


def test_without_seccomp_the_tier_says_so(user):
    found = probe(user, "seccomp")
    assert "start a process" in not_denied(found)
    assert found["tier"] == "process"


def test_every_attempt_succeeds_where_nothing_confines(user):
    """Otherwise a denial would prove nothing."""
    found = user.python(f"""
import json
from attnpack.host import isolation
isolation._IN_THE_CHILD = {NOTHING_CONFINES!r}
print(json.dumps(isolation.probe().to_json()))
""")
    denied = {d["name"] for d in found["denials"] if d["denied"]}
    by_the_machine = {"trace another process", "enter a namespace", "see what started it"}
    assert denied <= by_the_machine


NOTHING_CONFINES = """
import json, sys
sys.path.insert(0, sys.argv[1])
from attnpack.guest.confine import attempts
rules, ground = attempts.Policy.from_json(sys.argv[2]), attempts.Ground(**json.loads(sys.argv[3]))
order = {"rename a file": 1}
denied = {}
for attempt in sorted(attempts.ATTEMPTS, key=lambda attempt: order.get(attempt.name, 0)):
    if attempt.name not in ("know that a file exists",):
        denied[attempt.name] = attempts._is_denied(attempt, ground, rules)
print(json.dumps({"inforce": {}, "denied": {**denied, "know that a file exists": False}}))
"""


def isolated(tier, **inforce):
    left = Denial("read a file", Tier.CONTAINED, denied=tier is not Tier.PROCESS)
    return Isolation(tier, (left,), inforce)


def test_a_tier_that_is_reached_is_not_refused():
    full = isolated(Tier.FULL)
    for tier in Tier:
        assert isolation.require(tier, full) is full


def test_a_refusal_says_what_was_possible_and_what_to_change():
    weak = isolated(Tier.PROCESS, seccomp=True, landlock=None, view=False)
    with pytest.raises(IsolationError) as caught:
        isolation.require(Tier.CONTAINED, weak)
    message = str(caught.value)
    assert "`contained` is required" in message
    assert "`process`" in message
    assert "read a file" in message
    assert "Landlock is off" in message
    assert "No namespaces" in message
    assert "seccomp" not in message
    assert "--require-isolation process" in message


def test_a_trial_that_cannot_be_held_reaches_process_only(monkeypatch):
    monkeypatch.setattr(isolation, "_IN_THE_CHILD", "raise SystemExit('no such luck')")
    found = isolation.probe.__wrapped__()
    assert found.tier is Tier.PROCESS
    assert "no such luck" in found.fault


def test_on_a_machine_without_a_table_of_calls_the_tier_is_process(monkeypatch):
    monkeypatch.setattr(isolation, "machine", lambda: None)
    found = isolation.probe.__wrapped__()
    assert found.tier is Tier.PROCESS
    assert not any(denial.denied for denial in found.denials)


def test_a_policy_travels_as_json():
    policy = Policy(memory_bytes=1 << 28, keep=(0, 1, 2, 3), uid=61190, require=Tier.FULL)
    assert Policy.from_json(policy.to_json()) == policy
    assert json.loads(policy.to_json())["require"] == "full"


def test_tiers_are_ordered():
    assert [tier.rank for tier in (Tier.PROCESS, Tier.CONTAINED, Tier.FULL)] == [0, 1, 2]


@pytest.mark.parametrize(
    ("inforce", "tier"),
    [
        (Confinement(), Tier.PROCESS),
        (Confinement(limits=("RLIMIT_AS",), landlock=3), Tier.PROCESS),
        (Confinement(limits=("RLIMIT_AS",), landlock=3, seccomp=True), Tier.CONTAINED),
        (Confinement(limits=("RLIMIT_AS",), view=True, seccomp=True), Tier.CONTAINED),
        (Confinement(landlock=3, seccomp=True), Tier.PROCESS),
        (
            Confinement(("net", "pid", "ipc", "uts", "mnt"), True, 3, True, ("RLIMIT_AS",), 1),
            Tier.FULL,
        ),
    ],
)
def test_mechanisms_in_force_amount_to_a_tier(inforce, tier):
    assert inforce.tier is tier
