"""`cohort.html`: what an instructor wants to know of a whole cohort, on one page."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from attnpack.checking import own_faults
from attnpack.grade import statistics
from attnpack.grade.copies import REFERENCE, in_percent
from attnpack.grade.presence import WHY, presence
from attnpack.report.feedback import status_word
from attnpack.report.markup import Html, join, numbers, page, table, tag
from attnpack.report.sinks import line, number
from attnpack.report.students import SORT_SCRIPT, link, students_table
from attnpack.report.words import NOT_REACHED, RIGHT_ANYWAY, stage_label

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from attnpack.grade.alike import Group
    from attnpack.grade.results import Cohort, Result
    from attnpack.pack.texts import Bug

_SHOWN = 200
"""rows of a section; the tables of students and grades.csv have all"""


def cohort_page(cohort: Cohort, bugs: Mapping[str, Bug]) -> str:
    """The page. `bugs` are the pack's, with their cards."""
    title = f"{cohort.rubric.assignment}: the cohort"
    parts = [tag("h1", title), _facts(cohort), *_regrade(cohort)]
    for heading, content in _sections(cohort, bugs).items():
        parts += _section(heading, own_faults.fenced(content, _unmade, heading))
    return page(title, join(parts), SORT_SCRIPT)


def _sections(cohort: Cohort, bugs: Mapping[str, Bug]) -> Mapping[str, Callable[[], Html]]:
    """Each section below the facts and what makes it."""
    made: Mapping[str, Callable[[Cohort], Html]] = {
        "Nothing to grade": _nothing,
        "Handed in nothing": _missing,
        "Marks that reach no row of canvas.csv and moodle.csv": _unplaced,
        "Late, by how much is not known": _late_unknown,
        "Several submissions of one student: the best counts": _several,
        "Marks": _distribution,
        "Pass rate per exercise and check": _pass_rates,
        "Problems, what most have first": partial(_problems, bugs=bugs),
        "Bugs that come together": _together,
        "To look at: equal and like submissions, ready-made attention": _flags,
        "Marks set by hand": _overrides,
        "Students": students_table,
        "How this was judged": _provenance,
    }
    return {heading: partial(content, cohort) for heading, content in made.items()}


def _unmade(said: str) -> Html:
    return tag("p", said)


def _section(title: str, content: Html) -> Iterator[Html]:
    if content:
        yield tag("section", tag("h2", title), content)


def _facts(cohort: Cohort) -> Html:
    marks = statistics.marks(cohort)
    statuses = Counter(result.status for result in cohort.results)
    facts = [("submissions", str(len(cohort.results)))]
    if marks:
        facts += [("mean", f"{marks.mean:.1f} %"), ("median", f"{marks.median:.1f} %")]
    facts += [(status_word(word), str(count)) for word, count in sorted(statuses.items())]
    facts.append(("isolation", ", ".join(cohort.isolation) or "none"))
    return tag("dl", *(_fact(*fact) for fact in facts), class_="facts")


def _fact(name: str, value: str) -> Html:
    return tag("div", tag("dt", name), tag("dd", value))


def _regrade(cohort: Cohort) -> Iterator[Html]:
    """What is not marked yet, before anything else."""
    waiting = cohort.needing_regrade
    if waiting:
        text = "No mark yet, through no fault of theirs. Run the same command again with "
        advice = tag("p", text, tag("code", "--resume"), ".")
        rows = [[link(r), line(r.problem)] for r in waiting[:_SHOWN]]
        yield from _section(
            "Needs regrading", join([advice, table("Not marked", ["who", "why"], rows)])
        )


def _meter(count: int, most: int) -> Html:
    """A bar; the number stands beside it."""
    share = 100 * count / most if most else 0
    bar = tag("span", style=f"width:{share:.0f}%", class_="meter", aria_hidden="true")
    return tag("td", bar, class_="wide")


def _count(value: int | str) -> Html:
    return tag("td", str(value), class_="n")


def _distribution(cohort: Cohort) -> Html:
    marks = statistics.marks(cohort)
    if marks is None:
        return Html("")
    width = 100 // statistics.BINS
    rows = [
        [f"{at * width} to {(at + 1) * width} %", _count(count), _meter(count, max(marks.bins))]
        for at, count in enumerate(marks.bins)
    ]
    head = ["mark", numbers("submissions"), ""]
    return table("Submissions by mark", head, rows, class_="across")


def _pass_rates(cohort: Cohort) -> Html:
    rates = statistics.pass_rates(cohort)
    waiting = statistics.waiting(cohort)
    asked = {stage for stages in rates.values() for stage in stages}
    asked |= {stage for _, stage in waiting}
    stages = [stage for stage in cohort.rubric.worth if stage in asked]
    every = ("", *stages)
    rows = [
        [
            tag("code", name),
            *(_rate(of_stage.get(stage), waiting.get((name, stage), {})) for stage in every),
        ]
        for name, of_stage in rates.items()
    ]
    head = ["exercise", numbers("all of it"), *(numbers(stage_label(stage)) for stage in stages)]
    caption = (
        "Share of those asked that passed; a dash where an exercise has no such check. "
        "Would pass: right, but an earlier check is not"
    )
    return table(caption, head, rows)


def _rate(rate: statistics.PassRate | None, stopped: Mapping[str, int]) -> Html:
    """The share that passed, and beside it how many an earlier check stopped."""
    words = [f"{stopped[word]} {word}" for word in (RIGHT_ANYWAY, NOT_REACHED) if stopped.get(word)]
    waiting = ", ".join(words)
    note = [tag("div", word, class_="soft small") for word in words]
    if rate is None:
        if not waiting:
            return tag("td", "–", class_="n soft none")
        return tag("td", *note, class_="n soft")
    share = rate.passed / rate.asked
    bar = tag("span", style=f"width:{100 * share:.0f}%", class_="meter", aria_hidden="true")
    text = tag("span", f"{100 * share:.0f} %")
    title = ", ".join(part for part in (f"{rate.passed} of {rate.asked}", waiting) if part)
    return tag("td", text, bar, *note, class_="n", title=title)


def _problems(cohort: Cohort, bugs: Mapping[str, Bug]) -> Html:
    problems = statistics.problems(cohort)
    if not problems:
        return Html("")
    rows = [
        [
            join([_bug_name(problem.id, bugs), *_said(problem)]),
            _count(len(problem.results)),
            join(tag("div", tag("code", name)) for name in problem.exercises),
            tag("code", line(problem.line, 120)) if problem.line else "",
            _who(problem.results),
        ]
        for problem in problems[:_SHOWN]
    ]
    head = ["problem", numbers("students"), "in", "one line that has it", "who is stuck with it"]
    caption = "Bugs, exceptions and failures that no known bug explains"
    return table(caption, head, rows)


def _said(problem: statistics.Problem) -> Iterator[Html]:
    if problem.said:
        yield tag("div", line(problem.said, 160), class_="said")


def _nothing(cohort: Cohort) -> Html:
    rows = [[link(r), line(r.problem, 400)] for r in presence(cohort).nothing[:_SHOWN]]
    return table("0 points, until someone looks at it", ["who", "why"], rows) if rows else Html("")


def _missing(cohort: Cohort) -> Html:
    rows = [[s.key, s.login or s.email] for s in presence(cohort).missing[:_SHOWN]]
    return table("On the roster, without a submission", ["who", ""], rows) if rows else Html("")


def _unplaced(cohort: Cohort) -> Html:
    rows = [
        [link(r), r.submission, WHY.get(r.match, "")] for r in presence(cohort).unplaced[:_SHOWN]
    ]
    caption = "Write a row for them into the roster, or give the mark by hand"
    return table(caption, ["who", "submission", "why"], rows) if rows else Html("")


def _late_unknown(cohort: Cohort) -> Html:
    rows = [[link(r), r.submission] for r in presence(cohort).late_unknown[:_SHOWN]]
    caption = "Nothing is taken off; set what should be in the overrides"
    return table(caption, ["who", "submission"], rows) if rows else Html("")


def _several(cohort: Cohort) -> Html:
    rows = [[s.key, _who(found)] for s, found in presence(cohort).several[:_SHOWN]]
    return table("Of each student", ["who", "submissions"], rows) if rows else Html("")


def _bug_name(bug_id: str, bugs: Mapping[str, Bug]) -> Html:
    bug = bugs.get(bug_id)
    name = tag("code", bug_id)
    return join([name, tag("div", bug.card.title, class_="soft")]) if bug else name


def _who(results: Sequence[Result]) -> Html:
    links = [link(result) for result in results[:_SHOWN]]
    if len(links) <= 3:
        return join(part for at, one in enumerate(links) for part in ([", ", one] if at else [one]))
    items = tag("ul", *(tag("li", one) for one in links))
    return tag("details", tag("summary", f"{len(results)} submissions"), items)


def _together(cohort: Cohort) -> Html:
    pairs = statistics.together(cohort)
    if not pairs:
        return Html("")
    rows = [[tag("code", p.first), tag("code", p.second), _count(p.count)] for p in pairs[:_SHOWN]]
    return table("Submissions that have both", ["bug", "and", numbers("submissions")], rows)


def _flags(cohort: Cohort) -> Html:
    """Copies as groups: who equals whom, who is like whom, and who equals the reference."""
    equal: dict[tuple[str, ...], list[Result]] = {}
    like: dict[Group, list[Result]] = {}
    others: dict[str, list[Result]] = {}
    for result in cohort.results:
        if result.copied.equal:
            equal.setdefault(result.copied.equal, []).append(result)
        if result.copied.like:
            like.setdefault(result.copied.like, []).append(result)
        for flag in (*([REFERENCE] if result.copied.of_reference else []), *result.hints):
            others.setdefault(flag, []).append(result)
    rows = [[_who(found), "equal each other"] for found in equal.values()]
    alike = sorted(like.items(), key=lambda each: -each[0].most)
    rows += [
        [_who(found), f"like each other: {in_percent(group)} of their fingerprints shared"]
        for group, found in alike
    ]
    rows += [[_who(found), flag] for flag, found in others.items()]
    caption = (
        "Equal or like up to names, comments and layout, or a library's attention in the text: "
        "a reason to look, not a proof"
    )
    return table(caption, ["who", "what"], rows[:_SHOWN]) if rows else Html("")


def _overrides(cohort: Cohort) -> Html:
    rows = [
        [link(result), o.exercise, tag("td", number(o.points or 0), class_="n"), o.reason]
        for result in cohort.results
        for o in result.mark.overrides
    ]
    if not rows:
        return Html("")
    return table(
        "From the file of overrides", ["who", "exercise", numbers("points"), "reason"], rows
    )


def _provenance(cohort: Cohort) -> Html:
    terms = cohort.terms
    rows = [
        ["attnpack", terms.attnpack],
        ["pack", tag("code", terms.pack)],
        ["rubric", tag("code", terms.rubric)],
        ["commitment to the seeds' secret", tag("code", terms.seeds)],
        ["isolation in force", ", ".join(cohort.isolation) or "none"],
    ]
    return table("Equal for equal runs", ["what", "value"], rows)
