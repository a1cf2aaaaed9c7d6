"""A report as a piece of HTML for a notebook's output: self-contained, light and dark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from attnpack.report import failure as failures
from attnpack.report import words
from attnpack.report.markup import Html, join, tag
from attnpack.report.untrusted import capped, one_line, printable
from attnpack.terms import Match, Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attnpack.calls import Raised
    from attnpack.report.failure import Failure
    from attnpack.report.model import ExerciseReport, NamedBug
    from attnpack.report.terminal import View
    from attnpack.terms import Stage


def of_words(text: str) -> str:
    """A few words in the same frame."""
    return _framed(*(tag("p", line) for line in text.splitlines()))


def of_report(view: View) -> str:
    """The table, the first failure in full and the others folded, notes, what to do next."""
    return _framed(
        _table(view),
        *_printed(view),
        *(_failure(failure, first=n == 0) for n, failure in enumerate(view.failing)),
        *_notes(view),
        *(tag("p", step, class_="next") for step in view.next_steps),
    )


def _framed(*parts: Html) -> str:
    return tag("div", Html(f"<style>{STYLE}</style>"), *parts, class_="attnpack")


def _table(view: View) -> Html:
    report = view.report
    asked = {check.stage for exercise in report.exercises for check in exercise.checks}
    stages = [stage for stage in view.pack.stages if stage in asked]
    head = ("exercise", "status", *(stage.label for stage in stages))
    passed = sum(e.status is Status.PASSED for e in report.exercises)
    caption = f"{passed} of {len(report.exercises)} passed ({report.backend}, seed {report.seed})"
    return tag(
        "table",
        tag("caption", caption),
        tag("thead", tag("tr", *(tag("th", word, scope="col") for word in head))),
        tag("tbody", *(_row(exercise, stages) for exercise in report.exercises)),
    )


def _row(exercise: ExerciseReport, stages: list[Stage]) -> Html:
    status = {check.stage: check.status for check in exercise.checks}
    cells = [_cell(status.get(stage)) for stage in stages]
    name = tag("th", tag("code", exercise.name), scope="row")
    return tag("tr", name, tag("td", _sign(exercise.status)), *cells)


def _cell(status: Status | None) -> Html:
    if status is None:
        return tag("td")
    word = words.STATUS_WORD[status]
    return tag("td", tag("span", words.STATUS_MARK[status], class_=status.value, title=word))


def _sign(status: Status) -> Html:
    said = f"{words.STATUS_MARK[status]} {words.STATUS_WORD[status]}"
    return tag("span", said, class_=status.value)


def _printed(view: View) -> Iterator[Html]:
    for exercise in view.report.exercises:
        if exercise.output.strip():
            title = tag("summary", f"{exercise.name}, {words.PRINTED}")
            yield tag("details", title, tag("pre", capped(exercise.output)))


def _failure(failure: Failure, *, first: bool) -> Html:
    check = failure.check
    label = words.stage_label(check.stage)
    title = f"{words.STATUS_MARK[check.status]} {failure.exercise.name}: {label}"
    parts = [tag("summary", title), tag("p", printable(check.message))]
    facts = [
        *_comparison(failure),
        *(fact for b in failure.explaining for fact in _bug(b, failure)),
    ]
    if check.raised is not None:
        parts.append(_traceback(check.raised, failure))
    if len(failure.explaining) > 1:
        parts.append(tag("p", words.TOGETHER))
    parts.append(tag("dl", *facts))
    opened = {"open": "open"} if first else {}
    return tag("details", *parts, class_="failure", **opened)


def _fact(label: str, *content: str) -> Html:
    return join([tag("dt", label), tag("dd", *content)])


def _comparison(failure: Failure) -> Iterator[Html]:
    comparison = failure.check.comparison
    for label, said in failures.compared(comparison, failure.glyphs) if comparison else ():
        yield _fact(label, said)


def _bug(bug: NamedBug, failure: Failure) -> Iterator[Html]:
    card = failure.cards.get(bug.id)
    sure = words.match_sentence(bug.match, bug.together)
    if bug.match is Match.UNKNOWN or card is None:
        yield _fact(words.BUG, sure if bug.match is Match.UNKNOWN else bug.id)
    else:
        title = tag("strong", card.title)
        yield _fact(words.BUG, title, " (", tag("code", bug.id), ")", Html("<br>"), sure)
    if bug.file and bug.line:
        place = failure.places.words(bug.file, bug.line)
        source = failure.sources.get(bug.file, "")
        code = failures.excerpt(source, bug.line, failure.glyphs, failure.places, spot=bug.spot)
        yield _fact(words.LOOK_AT, one_line(place), tag("pre", code.plain), words.proof(bug.spot))
    if failure.check.advice:
        yield _fact(words.FIX, failure.check.advice)
    elif card is not None:
        yield _fact(words.HURTS, card.hurts)
        yield _fact(words.FIX, card.fix)


def _traceback(raised: Raised, failure: Failure) -> Html:
    lines = []
    for frame in raised.frames:
        place = failure.places.words(frame.file, frame.line)
        lines += [
            f"{one_line(place)}, in {one_line(frame.function)}",
            f"    {one_line(frame.text)}",
        ]
    if failure.check.caret is not None:
        lines.append(failures.under(failure.check.caret))
    return tag("pre", "\n".join([*lines, failures.last_line(raised)]))


def _notes(view: View) -> Iterator[Html]:
    helped = [exercise for exercise in view.report.exercises if exercise.stand_ins]
    names = dict.fromkeys(name for exercise in helped for name in exercise.stand_ins)
    if helped:
        yield tag("p", words.stood_in([exercise.name for exercise in helped], list(names)))
    for exercise in view.report.exercises:
        if exercise.status is Status.NOT_STARTED:
            said = exercise.failing.message if exercise.failing else ""
            yield tag("p", said or f"{exercise.name} is not written yet.")
    notes = [f"{e.name}: {note.text}" for e in view.report.exercises for note in e.notes]
    notes = [printable(note) for note in (*view.remarks, *notes)]
    if notes:
        yield tag("p", f"{words.NOTES}:")
        yield tag("ul", *(tag("li", note) for note in notes))


_DARK: Final = "--soft: #a3adb8; --line: #4a525c; --good: #5fd08c; --bad: #ff8f88; --wait: #e3b341"
STYLE: Final = f"""
.attnpack {{ --soft: #57606a; --line: #d0d7de; --good: #0b6e3a; --bad: #a8201a; --wait: #7a5200;
  color: inherit; max-width: 60rem; line-height: 1.45; }}
@media (prefers-color-scheme: dark) {{ .attnpack {{ {_DARK}; }} }}
[data-jp-theme-light="false"] .attnpack, .vscode-dark .attnpack {{ {_DARK}; }}
[data-jp-theme-light="true"] .attnpack, .vscode-light .attnpack {{ --soft: #57606a;
  --line: #d0d7de; --good: #0b6e3a; --bad: #a8201a; --wait: #7a5200; }}
.attnpack table {{ border-collapse: collapse; margin: 0 0 .8em; font-size: inherit; }}
.attnpack caption {{ text-align: left; color: var(--soft); padding: .2em 0; }}
.attnpack th, .attnpack td {{ padding: .2em .7em; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--line); background: none; color: inherit; }}
.attnpack .passed {{ color: var(--good); }}
.attnpack .failed, .attnpack .error {{ color: var(--bad); font-weight: 600; }}
.attnpack .not_started {{ color: var(--wait); }}
.attnpack .skipped {{ color: var(--soft); }}
.attnpack .failure {{ border: 1px solid var(--line); border-left: 4px solid var(--bad);
  padding: .5em 1em; margin: .6em 0; }}
.attnpack summary {{ font-weight: 600; cursor: pointer; }}
.attnpack dl {{ display: grid; grid-template-columns: max-content 1fr; gap: .35em 1.2em;
  margin: .6em 0 0; }}
.attnpack dt {{ font-weight: 600; grid-column: 1; }}
.attnpack dd {{ margin: 0; grid-column: 2; min-width: 0; }}
.attnpack pre {{ margin: .4em 0; padding: .5em .8em; overflow-x: auto; color: inherit;
  background: none; border: 1px solid var(--line); }}
.attnpack .next {{ font-weight: 600; margin: .3em 0; }}
"""
