"""The table of students in `cohort.html`: sorted by name; a click on a heading sorts otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from attnpack.report.feedback import status_word
from attnpack.report.markup import Html, join, numbers, table, tag
from attnpack.report.sinks import number

if TYPE_CHECKING:
    from attnpack.grade.results import Cohort, Result


def link(result: Result) -> Html:
    """The student, linked to their feedback page."""
    return tag("a", result.student or result.submission, href=f"feedback/{quote(result.name)}.html")


def students_table(cohort: Cohort) -> Html:
    """Everyone with mark, status, bugs and the files that say more."""
    rows = [_row(result) for result in cohort.results]
    head = ["student", "submission", numbers("score"), numbers("%"), "status", "bugs", "more"]
    return table("All submissions", head, rows, data_sortable="")


def _row(result: Result) -> list[str]:
    mark = result.mark
    record = tag("a", "report", href=f"reports/{quote(result.name)}.json")
    by_hand = ", set by hand" if mark.overrides else ""
    return [
        link(result),
        result.submission,
        tag("td", "" if mark.score is None else number(mark.score), class_="n"),
        tag("td", "" if mark.percent is None else f"{mark.percent:.1f}", class_="n"),
        f"{status_word(result.status)}{by_hand}",
        ", ".join(result.bugs),
        join([record, *(f", {flag}" for flag in result.flags)]),
    ]


SORT_SCRIPT = Html(
    """<script>
// Optional: without it the table is sorted by submission.
for (const table of document.querySelectorAll("table[data-sortable]")) {
  table.querySelectorAll("thead th").forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      const body = table.tBodies[0];
      const text = row => row.cells[column].textContent.trim();
      const order = (a, b) => text(a).localeCompare(text(b), undefined, { numeric: true });
      const rows = [...body.rows].sort((a, b) => (up ? order(a, b) : order(b, a)));
      table.querySelectorAll("th").forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      body.append(...rows);
    });
  });
}
</script>
"""
)
