"""What each event does while watching."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from attnpack import pack, workspace
from attnpack.commands.targets import Target
from attnpack.errors import BadInputError, OwnFaultError
from attnpack.report.model import CheckReport, ExerciseReport, NamedBug, Report
from attnpack.submission import Form, Submission
from attnpack.terms import Backend, Match, Status
from attnpack.watch.events import Checked, Closed, Event, Key, NotChecked, NowPolling, Saved, Traced
from attnpack.watch.session import KEYS, Going, Session
from attnpack.workspace import judged, scaffolding
from attnpack.workspace.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Sequence

NOTHING_READ = Submission(Path(), "work", Form.FOLDER, {}, {})
EXERCISES = {e.name: e for e in pack.load().chapters[0].exercises}


@dataclass
class Bench:
    """Answers with the verdicts that a test has laid out."""

    verdicts: dict[str, Status]
    checked: list[tuple[str, ...]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    shown: list[Checked] = field(default_factory=list)
    traced: list[str] = field(default_factory=list)
    refuses: Exception | None = None
    stopped: int = 0
    whole: int = 0

    def begin(self, exercises: Sequence[str]) -> int:
        self.checked.append(tuple(exercises))
        return len(self.checked)

    def verdict(self, number: int | None = None) -> Checked | NotChecked:
        """How a check ended, the last that was begun if not said."""
        number = number or len(self.checked)
        if self.refuses:
            return NotChecked(number, self.refuses)
        made = tuple(self._verdict(name) for name in self.checked[number - 1])
        report = Report("0", "sha256:0", "process", "work", "numpy", 1, made)
        return Checked(number, NOTHING_READ, report, 0.1)

    def stop(self) -> None:
        self.stopped += 1

    def show(self, checked: Checked) -> None:
        self.shown.append(checked)

    def show_whole(self) -> None:
        self.whole += 1

    def trace(self, exercise: str) -> None:
        self.traced.append(exercise)

    def say(self, text: str) -> None:
        self.said.append(text)

    def _verdict(self, name: str) -> ExerciseReport:
        status = self.verdicts.get(name, Status.NOT_STARTED)
        bug = NamedBug("softmax-overflow", Match.EXACT, "softmax.py", 3)
        bugs = (bug,) if status is Status.FAILED else ()
        return ExerciseReport(name, status, (CheckReport("values", status, bugs=bugs),))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    scaffolding.init(tmp_path, Backend.NUMPY)
    return tmp_path


def session(folder: Path, **verdicts: Status) -> tuple[Session, Bench]:
    bench = Bench(verdicts)
    target = Target(folder, (), workspace.find(folder), "", pack.load())
    begun = Session(target, bench, EXERCISES["softmax"])
    begun.start()
    begun.handle(bench.verdict())
    return begun, bench


def until_checked(watching: Session, bench: Bench, event: Event) -> Going:
    """Handle an event that begins a check, and the verdict."""
    assert watching.handle(event) is Going.ON
    return watching.handle(bench.verdict())


def saved(*names: str) -> Saved:
    return Saved(frozenset(names))


def test_it_begins_with_a_check_of_the_exercise_one_is_at(folder: Path) -> None:
    _, bench = session(folder)
    assert bench.checked == [("softmax",)]


def test_a_save_checks_the_exercise_that_was_saved(folder: Path) -> None:
    watching, bench = session(folder)
    watching.handle(saved("causal_mask.py"))
    assert bench.checked[-1] == ("causal_mask",)
    assert watching.current.name == "causal_mask"


def test_several_saves_at_once_are_checked_together_and_the_current_one_stays(
    folder: Path,
) -> None:
    watching, bench = session(folder)
    watching.handle(saved("causal_mask.py", "softmax.py"))
    assert bench.checked[-1] == ("softmax", "causal_mask")
    assert watching.current.name == "softmax"


def test_a_file_of_the_learners_own_checks_the_current_exercise(folder: Path) -> None:
    watching, bench = session(folder)
    watching.handle(saved("my_functions.py"))
    assert bench.checked[-1] == ("softmax",)


def test_a_lone_file_checks_the_current_exercise(folder: Path) -> None:
    bench = Bench({})
    path = folder / "softmax.py"
    Session(Target(path, (), None, "x", pack.load()), bench, EXERCISES["causal_mask"]).handle(
        saved("softmax.py")
    )
    assert bench.checked == [("causal_mask",)]


def test_passing_does_not_move_on_by_itself(folder: Path) -> None:
    watching, bench = session(folder, softmax=Status.PASSED)
    until_checked(watching, bench, saved("softmax.py"))
    assert watching.current.name == "softmax"
    assert "n: the next one" in bench.said[-1]


def test_n_moves_on_once_the_exercise_passes(folder: Path) -> None:
    watching, bench = session(folder, softmax=Status.PASSED)
    watching.handle(Key("n"))
    assert watching.current.name == "attention_scores"
    assert bench.checked[-1] == ("attention_scores",)


def test_n_stays_while_the_exercise_does_not_pass_and_says_why(folder: Path) -> None:
    watching, bench = session(folder, softmax=Status.FAILED)
    watching.handle(Key("n"))
    assert watching.current.name == "softmax"
    assert "does not pass yet" in bench.said[-1]


def test_n_after_the_last_exercise_goes_back_to_one_that_does_not_pass(folder: Path) -> None:
    watching, bench = session(folder, MultiHeadAttention=Status.PASSED)
    until_checked(watching, bench, saved("multi_head_attention.py"))
    watching.handle(Key("n"))
    assert watching.current.name == "softmax"


def test_where_all_pass_n_stays_and_says_what_to_do_with_it(folder: Path) -> None:
    watching, bench = session(folder, softmax=Status.PASSED)
    here = workspace.opened(folder)
    state = here.state
    for name in EXERCISES:
        text = judged.fingerprint(here.sources, EXERCISES[name].file, here.pack)
        state = state.with_progress(name, Progress(status=Status.PASSED, text=text))
    here.saved(state)
    watching.handle(Key("n"))
    assert watching.current.name == "softmax"
    assert "attnpack heatmap" in bench.said[-1]
    until_checked(watching, bench, Key("c"))
    assert "softmax passes. There is no other left" in bench.said[-1]


@pytest.mark.parametrize("key", ["c", " ", "\n"])
def test_a_key_checks_now(folder: Path, key: str) -> None:
    watching, bench = session(folder)
    watching.handle(Key(key))
    assert bench.checked == [("softmax",), ("softmax",)]


def test_a_checks_all_and_stays_where_it_is(folder: Path) -> None:
    watching, bench = session(folder, softmax=Status.PASSED, causal_mask=Status.FAILED)
    watching.handle(Key("a"))
    assert bench.checked[-1] == tuple(EXERCISES)
    assert watching.current.name == "softmax"


def test_h_gives_one_hint_more_each_time(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    watching, _ = session(folder)
    watching.handle(Key("h"))
    watching.handle(Key("h"))
    printed = capsys.readouterr().out
    assert "hint 1 of 3" in printed
    assert "hint 2 of 3" in printed


def test_e_explains_the_bug_that_the_last_check_named(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    watching, _ = session(folder, softmax=Status.FAILED)
    watching.handle(Key("e"))
    assert "softmax-overflow: " in capsys.readouterr().out


def test_e_says_that_there_is_nothing_to_explain(folder: Path) -> None:
    watching, bench = session(folder)
    watching.handle(Key("e"))
    assert "named no bug" in bench.said[-1]


def test_l_lists_the_progress(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    watching, _ = session(folder)
    watching.handle(Key("l"))
    assert "MultiHeadAttention" in capsys.readouterr().out


def test_a_key_without_a_meaning_shows_those_with_one(folder: Path) -> None:
    watching, bench = session(folder)
    watching.handle(Key("z"))
    assert "q quit" in bench.said[-1]


def test_q_and_the_end_of_input_stop(folder: Path) -> None:
    watching, _ = session(folder)
    assert watching.handle(Key("q")) is Going.STOP
    assert watching.bench.stopped == 1
    assert watching.handle(Closed()) is Going.STOP
    assert watching.handle(Key("c")) is Going.ON


def test_it_says_when_it_begins_to_poll(folder: Path) -> None:
    watching, bench = session(folder)
    watching.handle(NowPolling("no events here"))
    assert "no events here" in bench.said[-1]


def test_files_that_cannot_be_checked_now_are_told_and_do_not_end_it(folder: Path) -> None:
    watching, bench = session(folder)
    bench.refuses = BadInputError("There are no exercises here.")
    assert until_checked(watching, bench, saved("softmax.py")) is Going.ON
    assert bench.said[-1] == "There are no exercises here."


def test_a_fault_of_ours_is_owned_and_does_not_end_it(folder: Path) -> None:
    watching, bench = session(folder)
    bench.refuses = OwnFaultError("The guest is gone.")
    assert until_checked(watching, bench, saved("softmax.py")) is Going.ON
    assert "The guest is gone." in bench.said[-1]
    assert "a fault of attnpack, not of your code" in bench.said[-1]


def test_the_last_line_names_the_bug_and_its_place(folder: Path) -> None:
    _, bench = session(folder, softmax=Status.FAILED)
    assert "softmax: exponentials without subtracting the maximum, softmax.py:3." in bench.said[-1]


@pytest.mark.parametrize("key", ["h", "e", "l", "?"])
def test_the_keys_are_shown_again_under_whatever_a_key_has_shown(folder: Path, key: str) -> None:
    watching, bench = session(folder, softmax=Status.FAILED)
    watching.handle(Key(key))
    assert bench.said[-1] == KEYS


def test_another_hint_is_another_press_of_the_key(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    watching, _ = session(folder)
    watching.handle(Key("h"))
    assert "One step more: h\n" in capsys.readouterr().out


def test_f_shows_the_whole_report(folder: Path) -> None:
    watching, bench = session(folder, softmax=Status.FAILED)
    watching.handle(Key("f"))
    assert bench.whole == 1
    assert bench.said[-1] == KEYS


def test_t_shows_the_lines_and_then_the_keys(folder: Path) -> None:
    watching, bench = session(folder, softmax=Status.FAILED)
    watching.handle(Key("t"))
    assert bench.traced == ["softmax"]
    watching.handle(Traced())
    assert bench.said[-1] == KEYS


def test_a_save_while_a_check_runs_begins_another_and_the_first_is_not_shown(folder: Path) -> None:
    watching, bench = session(folder)
    watching.handle(saved("softmax.py"))
    watching.handle(saved("softmax.py"))
    watching.handle(bench.verdict(2))
    assert len(bench.shown) == 1
    watching.handle(bench.verdict(3))
    assert len(bench.shown) == 2


def test_what_a_save_has_interrupted_is_checked_with_it(folder: Path) -> None:
    watching, bench = session(folder)
    watching.handle(saved("causal_mask.py"))
    watching.handle(saved("softmax.py"))
    assert bench.checked[-1] == ("softmax", "causal_mask")
    watching.handle(bench.verdict())
    watching.handle(saved("softmax.py"))
    assert bench.checked[-1] == ("softmax",)


@pytest.mark.parametrize("key", ["h", "l", "e", "t", "?"])
def test_keys_act_while_a_check_runs(
    folder: Path, key: str, capsys: pytest.CaptureFixture[str]
) -> None:
    watching, bench = session(folder, softmax=Status.FAILED)
    watching.handle(saved("softmax.py"))
    said = len(bench.said)
    watching.handle(Key(key))
    assert capsys.readouterr().out or bench.traced or len(bench.said) > said
    assert len(bench.shown) == 1


def test_n_does_not_go_by_a_verdict_that_is_old(folder: Path) -> None:
    watching, bench = session(folder, softmax=Status.PASSED)
    watching.handle(saved("softmax.py"))
    watching.handle(Key("n"))
    assert watching.current.name == "softmax"
    assert "is being checked" in bench.said[-1]


def test_a_fault_that_nobody_expects_is_not_swallowed(folder: Path) -> None:
    watching, bench = session(folder)
    bench.refuses = ZeroDivisionError()
    with pytest.raises(ZeroDivisionError):
        until_checked(watching, bench, saved("softmax.py"))


def test_a_workspace_that_is_gone_is_told_and_does_not_end_it(folder: Path) -> None:
    watching, bench = session(folder)
    folder.rename(folder.with_name("moved"))
    assert watching.handle(Key("h")) is Going.ON
    assert "no longer there" in bench.said[-1]
    assert not folder.exists()


def test_the_first_words_are_said_once_under_the_first_verdict(folder: Path) -> None:
    bench = Bench({})
    target = Target(folder, (), workspace.find(folder), "", pack.load())
    watching = Session(target, bench, EXERCISES["softmax"], first_words="c checks now")
    watching.start()
    assert bench.said == []
    watching.handle(bench.verdict())
    until_checked(watching, bench, saved("softmax.py"))
    assert ["c checks now" in text for text in bench.said] == [True, False]
