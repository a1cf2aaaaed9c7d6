"""JUnit XML (xunit2) of a cohort: a suite per submission, a case per exercise and stage.

`failure` is a wrong answer, `error` a crash, an unreadable submission or a fault of the machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from attnpack.checking import own_faults
from attnpack.report.feedback import bug_line
from attnpack.report.sinks import for_xml, line
from attnpack.report.words import outcome, stage_label
from attnpack.terms import Status

if TYPE_CHECKING:
    from attnpack.grade.results import Cohort, Result
    from attnpack.report.model import CheckReport, ExerciseReport

_WRONG = (Status.FAILED, Status.NOT_STARTED)


def junit(cohort: Cohort) -> str:
    """The whole cohort as one document, for its instructor."""
    root = ET.Element("testsuites", name="attnpack")
    for result in cohort.results:
        root.append(_suite_or_said(result))
    for count in ("tests", "failures", "errors", "skipped"):
        root.set(count, str(sum(int(suite.get(count, "0")) for suite in root)))
    ET.indent(root, " ")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, "unicode")}\n'


def _suite_or_said(result: Result) -> ET.Element:
    return own_faults.fenced(
        lambda: _suite(result), lambda said: _without_cases(result, said), result.submission
    )


def _without_cases(result: Result, said: str) -> ET.Element:
    counts = {"tests": "1", "failures": "0", "errors": "1", "skipped": "0", "time": "0"}
    suite = ET.Element("testsuite", {"name": _attribute(result.submission), **counts})
    case = ET.SubElement(suite, "testcase", classname="submission", name="judged", time="0")
    ET.SubElement(case, "error", type=result.status, message=_attribute(said))
    return suite


def _suite(result: Result) -> ET.Element:
    suite = ET.Element("testsuite", name=_attribute(result.submission))
    if result.report is None:
        case = ET.SubElement(suite, "testcase", classname="submission", name="judged", time="0")
        ET.SubElement(case, "error", type=result.status, message=_attribute(result.problem))
    else:
        for exercise in result.report.exercises:
            for check in exercise.checks:
                suite.append(_case(exercise, check))
    cases = suite.findall("testcase")
    suite.set("tests", str(len(cases)))
    for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(name, str(sum(case.find(tag) is not None for case in cases)))
    suite.set("time", f"{result.wall_s:.3f}")
    return suite


def _case(exercise: ExerciseReport, check: CheckReport) -> ET.Element:
    name = stage_label(check.stage)
    case = ET.Element("testcase", classname=exercise.name, name=name, time="0")
    if check.status is Status.SKIPPED:
        ET.SubElement(case, "skipped", message=_attribute(check.message or outcome(check)))
    elif check.status is not Status.PASSED:
        tag = "failure" if check.status in _WRONG else "error"
        kind = check.bugs[0].id if check.bugs else check.status.value
        wrong = ET.SubElement(case, tag, type=kind, message=_attribute(check.message))
        wrong.text = for_xml("\n".join([check.message, *map(bug_line, check.bugs)]))
    return case


def _attribute(text: str) -> str:
    return line(text, 500)
