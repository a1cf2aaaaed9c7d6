"""A judge that believes what a submission says about itself: `# fake: EXERCISE STATUS STAGE BUG`.

With `# after: right` or `# after: wrong` the stages after a failing one are skipped, and would
pass or not; else they pass.

`# judge: dies` ends the worker, `# judge: faults` is an infrastructure fault, `# judge: sleeps`
takes a while; each leaves a line in the file that $FAKE_JUDGE_LOG names.
"""

import hashlib
import os
import time
from collections.abc import Sequence
from pathlib import Path

from attnpack.grade.jobs import InfrastructureFaultError, Settings
from attnpack.pack.kinds import Comparison
from attnpack.report.model import CheckReport, ExerciseReport, NamedBug, Report
from attnpack.submission import Submission
from attnpack.terms import Backend, Match, Status

FAKE_JUDGE = "grade_fakes:open_judge"
STAGES = {
    "softmax": ("shapes", "row_sums", "values"),
    "attention_scores": ("shapes", "scaling", "values"),
    "causal_mask": ("shapes", "mask", "values"),
    "apply_attention": ("shapes", "values"),
    "scaled_dot_product_attention": ("shapes", "row_sums", "mask", "scaling", "causal", "values"),
    "SelfAttention": ("shapes", "row_sums", "mask", "scaling", "causal", "values"),
    "MultiHeadAttention": ("shapes", "row_sums", "mask", "scaling", "causal", "values"),
}


class FakeJudge:
    def check(
        self,
        submission: Submission,
        backend: Backend,
        seed: int,
        exercises: Sequence[str] | None,
        short_seed: int | None = None,
    ) -> Report:
        [(file, text)] = list(submission.sources.items())[:1]
        _log(hashlib.sha256(text.encode()).hexdigest())
        if "# judge: dies" in text:
            os._exit(1)
        if "# judge: faults" in text:
            raise InfrastructureFaultError("the sandbox could not be set up")
        if "# judge: sleeps" in text:
            time.sleep(0.2)
        told = {
            words[0]: words[1:]
            for line in text.splitlines()
            if line.startswith("# fake:")
            for words in [line.removeprefix("# fake:").split()]
        }
        reports = tuple(
            _exercise(name, told.get(name, ()), file, text, seed)
            for name in STAGES
            if exercises is None or name in exercises
        )
        return Report("0.1.0", "sha256:pack", "contained", file, backend.value, seed, reports)

    def close(self) -> None:
        pass


def open_judge(settings: Settings) -> FakeJudge:
    return FakeJudge()


def _log(line: str) -> None:
    if "FAKE_JUDGE_LOG" in os.environ:
        with Path(os.environ["FAKE_JUDGE_LOG"]).open("a") as log:
            log.write(f"{line}\n")


def _exercise(name: str, told: Sequence[str], file: str, text: str, seed: int) -> ExerciseReport:
    if not told:
        checks = tuple(CheckReport(stage, Status.PASSED) for stage in STAGES[name])
        return ExerciseReport(name, Status.PASSED, checks)
    status, failing, *ids = told
    before, after = STAGES[name], ()
    if "# after: " in text:
        at = before.index(failing) + 1
        before, after = before[:at], before[at:]
    checks = (
        *(
            _failed(stage, Status(status), ids, file, text)
            if stage == failing
            else CheckReport(stage, Status.PASSED)
            for stage in before
        ),
        *(
            CheckReport(stage, Status.SKIPPED, would_pass="# after: right" in text)
            for stage in after
        ),
    )
    printed = text.partition("# prints: ")[2].partition("\n")[0]
    return ExerciseReport(name, Status(status), checks, output=_unescaped(printed))


def _failed(stage: str, status: Status, ids: Sequence[str], file: str, text: str) -> CheckReport:
    said = text.partition("# says: ")[2].partition("\n")[0]
    return CheckReport(
        stage,
        status,
        _unescaped(said) or f"{stage} is not right",
        tuple(NamedBug(i, Match.EXACT, file, 1, together=len(ids) > 1) for i in ids),
        Comparison(call="f(x)", got=float(text.partition("# came: ")[2].partition("\n")[0] or 0)),
    )


def _unescaped(text: str) -> str:
    return text.encode("latin-1", "backslashreplace").decode("unicode_escape")
