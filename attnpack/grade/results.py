"""A cohort's results, put together from the entries of a ledger, rubric and overrides."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from attnpack.checking import own_faults
from attnpack.grade.copies import Copied, Given, copied
from attnpack.grade.jobs import Judged
from attnpack.grade.marks import Mark, Unjudged, mark
from attnpack.grade.names import safe_names
from attnpack.grade.relabel import relabelled, renamed
from attnpack.grade.roster import Match, Roster, Student
from attnpack.grade.rubric import Rubric
from attnpack.terms import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from attnpack.grade.ledger import Entry
    from attnpack.grade.overrides import Overrides
    from attnpack.report.model import NamedBug, Report


@dataclass(frozen=True)
class Terms:
    """What a run was judged under; runs that differ in it do not mix."""

    attnpack: str
    pack: str
    rubric: str
    seeds: str
    """the commitment to the secret"""
    asked: str = ""
    """the hash of the exercises' names"""

    def key(self, sha256: str) -> list[str]:
        """What an entry of the ledger is found by: all that a judgement depends on.

        What an exercise is worth is no part of it.
        """
        return [sha256, self.attnpack, self.pack, self.asked, self.seeds]


def asked_hash(exercises: Iterable[str]) -> str:
    """Equal where the same exercises are asked about."""
    return f"sha256:{hashlib.sha256(json.dumps(sorted(exercises)).encode()).hexdigest()}"


@dataclass(frozen=True)
class Result:
    """One submission with its mark."""

    submission: str
    name: str
    """the name of its files in the output folders"""
    student: str
    people: tuple[Student, ...]
    """whose it is, of the roster: one, or all of a group"""
    status: str
    """a status of the contract, or `unreadable`, or `needs_regrade`"""
    mark: Mark
    report: Report | None = None
    sha256: str = ""
    problem: str = ""
    match: Match = Match.FOUND
    """why it is nobody's of the roster, where it is not"""
    notes: tuple[str, ...] = ()
    """what was read of it, what not, and what was not run"""
    when: str = ""
    """when it was handed in, as far as the platform tells"""
    said_late: bool = False
    """the platform says that it is late"""
    wall_s: float = 0.0
    lines: Mapping[str, str] = field(default_factory=dict)
    clusters: Mapping[str, str] = field(default_factory=dict)
    details: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """exercise -> what its failing check shows"""
    copied: Copied = field(default_factory=Copied)
    """whom it equals or is like"""
    hints: tuple[str, ...] = ()
    """what else the teacher should look at"""

    @property
    def flags(self) -> tuple[str, ...]:
        """What the teacher should look at."""
        return (*self.copied.flags, *self.hints)

    @property
    def bugs(self) -> list[str]:
        """The diagnosis of every exercise that did not pass, each id once."""
        found: dict[str, None] = {}
        for exercise in self.report.exercises if self.report else ():
            named = exercise.failing.bugs if exercise.failing else ()
            for bug in diagnosis(named):
                found[bug.id] = None
        return list(found)


@dataclass(frozen=True)
class Cohort:
    """All results of a run, or of several that were merged."""

    terms: Terms
    rubric: Rubric
    roster: Roster
    results: tuple[Result, ...]

    @property
    def isolation(self) -> list[str]:
        """The tiers in force."""
        return sorted({result.report.isolation for result in self.results if result.report})

    @property
    def needing_regrade(self) -> list[Result]:
        """Those without a mark."""
        return [result for result in self.results if result.mark.score is None]


def cohort_of(
    runs: Sequence[Sequence[Entry]],
    overrides: Overrides,
    given: Given,
) -> Cohort:
    """Put the last run of each ledger together. They agree in their terms.

    `given` is what the pack's own texts are known by.
    """
    head = last_run(runs[0])[0]
    rubric = Rubric.from_json(head["rubric"])
    roster = Roster.from_json(head["roster"])
    terms = Terms(**head["terms"])
    entries = (e for run in runs for e in last_run(run) if e["kind"] == "found")
    once = {entry["submission"]: entry for entry in entries}
    found = sorted(once.values(), key=lambda entry: str(entry["submission"]))
    judged = judged_by_key([entry for run in runs for entry in run])
    names = safe_names([entry["submission"] for entry in found])
    pairs = [(entry, judged.get(tuple(terms.key(entry["sha256"])))) for entry in found]
    alike = _copied(pairs, given)
    results = tuple(
        _result_or_said(
            entry,
            kept,
            names[entry["submission"]],
            alike.get(entry["submission"], Copied()),
            rubric,
            overrides,
        )
        for entry, kept in pairs
    )
    return Cohort(terms, rubric, roster, results)


def diagnosis(bugs: Sequence[NamedBug]) -> list[NamedBug]:
    """The best explanation: the first bug, or the bugs that explain it together."""
    return [bug for at, bug in enumerate(bugs) if at == 0 or (bug.together and bugs[0].together)]


def last_run(entries: Sequence[Entry]) -> Sequence[Entry]:
    """The entries from the last start on."""
    starts = [at for at, entry in enumerate(entries) if entry["kind"] == "run"]
    return entries[starts[-1] :] if starts else ()


def judged_by_key(entries: Sequence[Entry]) -> dict[tuple[str, ...], Entry]:
    """The judged entries by key; a fault only where nothing better came after it."""
    found: dict[tuple[str, ...], Entry] = {}
    for entry in entries:
        if entry["kind"] == "judged":
            found.setdefault(tuple(entry["key"]), entry)
    for entry in entries:
        if entry["kind"] == "fault":
            found.setdefault(tuple(entry["key"]), entry)
    return found


def _result_or_said(
    entry: Entry,
    kept: Entry | None,
    name: str,
    alike: Copied,
    rubric: Rubric,
    overrides: Overrides,
) -> Result:
    """The result; what attnpack fails to read is unreadable, and says why."""
    try:
        return _result(entry, kept, name, alike, rubric, overrides)
    except Exception as error:  # noqa: BLE001  one that cannot be read ends no other
        said = own_faults.tell(error, entry["submission"])
        return _result({**entry, "problem": said}, None, name, Copied(), rubric, overrides)


def _result(
    entry: Entry,
    kept: Entry | None,
    name: str,
    alike: Copied,
    rubric: Rubric,
    overrides: Overrides,
) -> Result:
    submission = entry["submission"]
    judged = Judged.from_json(kept["judged"]) if kept and kept["kind"] == "judged" else None
    report = None
    if judged and judged.report:
        report = relabelled(judged.report, submission, entry["shown"])
        status, problem = status_of(report), ""
    elif entry["problem"] or judged:
        status = Unjudged.UNREADABLE.value
        problem = entry["problem"] or (judged.problem if judged else "")
    else:
        status = Unjudged.NEEDS_REGRADE.value
        problem = kept["fault"] if kept else "not judged yet"
    people = tuple(Student(**each) for each in entry["people"])
    called = [name for each in people for name in each.names] or [entry["student"]]
    when = entry["when"] or next((each.when for each in people if each.when), "")
    return Result(
        submission=submission,
        name=name,
        student=" and ".join(each.key for each in people) or entry["student"],
        people=people,
        status=status,
        mark=mark(submission, report, status, rubric, overrides, called, when),
        when=when,
        said_late=entry["late"],
        report=report,
        sha256=entry["sha256"],
        problem=problem,
        match=Match(entry["match"]),
        notes=(*entry["notes"], *(judged.notes if judged else ())),
        wall_s=judged.wall_s if judged else 0.0,
        lines=_lines(judged, entry["shown"]),
        clusters=judged.clusters if judged else {},
        details=judged.details if judged else {},
        copied=alike,
        hints=judged.hints if judged else (),
    )


def status_of(report: Report) -> str:
    """A submission's status: `passed`, or that of its first exercise that did not pass."""
    for exercise in report.exercises:
        if exercise.status is not Status.PASSED:
            return exercise.status.value
    return Status.PASSED.value


def _lines(judged: Judged | None, shown: Mapping[str, str]) -> dict[str, str]:
    lines = {}
    for place, text in judged.lines.items() if judged else ():
        file, _, number = place.rpartition(":")
        lines[f"{renamed(file, shown)}:{number}"] = text
    return lines


def _copied(pairs: Sequence[tuple[Entry, Entry | None]], given: Given) -> Mapping[str, Copied]:
    """Whom each submission equals or is like; of nobody, where attnpack fails to tell."""
    judged = {
        entry["submission"]: kept["judged"]
        for entry, kept in pairs
        if kept and kept["kind"] == "judged" and kept["judged"]["report"]
    }
    nobody: Mapping[str, Copied] = {}
    return own_faults.fenced(lambda: copied(judged, given), lambda _: nobody, "equal submissions")
