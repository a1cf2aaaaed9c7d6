"""`cohort.html`: what an instructor wants to know of a whole cohort, on one page."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from attnpack.grade import statistics
from attnpack.report.feedback import status_word
from attnpack.report.markup import Html, join, numbers, page, table, tag
from attnpack.report.sinks import line, number
from attnpack.report.students import SORT_SCRIPT, link, students_table
from attnpack.report.words import stage_label

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from attnpack.grade.results import Cohort, Result
    from attnpack.pack.texts import Bug

_SHOWN = 200
"""rows of a section; the tables of students and grades.csv have all"""


def cohort_page(cohort: Cohort, bugs: Mapping[str, Bug]) -> str:
    """The page. `bugs` are the pack's, with their cards."""
    title = f"{cohort.rubric.assignment}: the cohort"
    body = [
        tag("h1", title),
        _facts(cohort),
        *_regrade(cohort),
        *_section("Marks", _distribution(cohort)),
        *_section("Pass rate per exercise and check", _pass_rates(cohort)),
        *_section("Bugs, by how many made them", _bugs(cohort, bugs)),
        *_section("Bugs that come together", _together(cohort)),
        *_section("Failures no known bug explains", _clusters(cohort)),
        *_section("Exceptions, time outs, ended processes", _crashes(cohort)),
        *_section("To look at: equal submissions, ready-made attention", _flags(cohort)),
        *_section("Marks set by hand", _overrides(cohort)),
        *_section("Students", students_table(cohort)),
        *_section("How this was judged", _provenance(cohort)),
    ]
    return page(title, join(body), SORT_SCRIPT)


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
    return table("Submissions by mark", ["mark", numbers("submissions"), ""], rows)


def _pass_rates(cohort: Cohort) -> Html:
    rates = statistics.pass_rates(cohort)
    asked = {stage for stages in rates.values() for stage in stages}
    stages = [stage for stage in cohort.rubric.worth if stage in asked]
    rows = [
        [tag("code", name), *(_rate(of_stage.get(stage)) for stage in ("", *stages))]
        for name, of_stage in rates.items()
    ]
    head = ["exercise", numbers("all of it"), *(numbers(stage_label(stage)) for stage in stages)]
    caption = "Share of those asked that passed; a dash where an exercise has no such check"
    return table(caption, head, rows)


def _rate(rate: statistics.PassRate | None) -> Html:
    if rate is None:
        return tag("td", "–", class_="n soft")
    share = rate.passed / rate.asked
    bar = tag("span", style=f"width:{100 * share:.0f}%", class_="meter", aria_hidden="true")
    text = tag("span", f"{100 * share:.0f} %")
    return tag("td", text, bar, class_="n", title=f"{rate.passed} of {rate.asked}")


def _bugs(cohort: Cohort, bugs: Mapping[str, Bug]) -> Html:
    ranked = statistics.bugs(cohort)
    if not ranked:
        return Html("")
    rows = [
        [
            _bug_name(shared.id, bugs),
            _count(len(shared.results)),
            ", ".join(shared.exercises),
            tag("code", line(shared.line, 120)) if shared.line else "",
            _who(shared.results),
        ]
        for shared in ranked[:_SHOWN]
    ]
    head = ["bug", numbers("submissions"), "in", "one line that has it", "who is stuck with it"]
    return table("The diagnosis of each exercise that did not pass", head, rows)


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


def _clusters(cohort: Cohort) -> Html:
    clusters = statistics.clusters(cohort)
    if not clusters:
        return Html("")
    rows = [
        [
            tag("code", cluster.exercises[0]),
            _count(len(cluster.results)),
            _who(cluster.results),
            tag("code", cluster.id),
        ]
        for cluster in clusters[:_SHOWN]
    ]
    head = ["exercise", numbers("submissions"), "who", "fingerprint of the numbers"]
    return table("Equal wrong numbers on equal questions stand together", head, rows)


def _crashes(cohort: Cohort) -> Html:
    crashes = statistics.crashes(cohort)
    if not crashes:
        return Html("")
    rows = [
        [
            link(crash.result),
            tag("code", crash.exercise),
            tag("code", crash.id),
            line(crash.message),
        ]
        for crash in crashes[:_SHOWN]
    ]
    return table("Code that did not answer", ["who", "exercise", "bug", "what came"], rows)


def _flags(cohort: Cohort) -> Html:
    flagged = [result for result in cohort.results if result.flags]
    if not flagged:
        return Html("")
    rows = [[link(result), "; ".join(result.flags)] for result in flagged[:_SHOWN]]
    caption = (
        "Equal up to names, comments and layout, or a library's attention in the text: "
        "a reason to look, not a proof"
    )
    return table(caption, ["who", "what"], rows)


def _overrides(cohort: Cohort) -> Html:
    rows = [
        [link(result), o.exercise, tag("td", number(o.points), class_="n"), o.reason]
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
