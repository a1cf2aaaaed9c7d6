"""What each event does while watching."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from attnpack import pack, workspace
from attnpack.commands.targets import Target
from attnpack.errors import BadInputError, OwnFaultError
from attnpack.report.model import CheckReport, ExerciseReport, NamedBug, Report
from attnpack.terms import Backend, Match, Status
from attnpack.watch.events import Closed, Key, NowPolling, Saved
from attnpack.watch.session import KEYS, Going, Session
from attnpack.workspace import judged
from attnpack.workspace.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

EXERCISES = {e.name: e for e in pack.load().exercises}


@dataclass
class Bench:
    """Answers with the verdicts that a test has laid out."""

    verdicts: dict[str, Status]
    checked: list[tuple[str, ...]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    refuses: Exception | None = None

    def check(self, exercises: Sequence[str]) -> Report:
        if self.refuses:
            raise self.refuses
        self.checked.append(tuple(exercises))
        made = tuple(self._verdict(name) for name in exercises)
        return Report("0", "sha256:0", "process", "work", "numpy", 1, made)

    def say(self, text: str) -> None:
        self.said.append(text)

    def _verdict(self, name: str) -> ExerciseReport:
        status = self.verdicts.get(name, Status.NOT_STARTED)
        bug = NamedBug("softmax-overflow", Match.EXACT, "softmax.py", 3)
        bugs = (bug,) if status is Status.FAILED else ()
        return ExerciseReport(name, status, (CheckReport("values", status, bugs=bugs),))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    workspace.init(tmp_path, Backend.NUMPY)
    return tmp_path


def session(folder: Path, **verdicts: Status) -> tuple[Session, Bench]:
    bench = Bench(verdicts)
    target = Target(folder, (), workspace.find(folder), "", pack.load())
    begun = Session(target, bench, EXERCISES["softmax"])
    begun.start()
    return begun, bench


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
    watching.handle(saved("softmax.py"))
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
    watching, _ = session(folder, MultiHeadAttention=Status.PASSED)
    watching.handle(saved("multi_head_attention.py"))
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
    watching.handle(Key("c"))
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
    assert watching.handle(Closed()) is Going.STOP
    assert watching.handle(Key("c")) is Going.ON


def test_it_says_when_it_begins_to_poll(folder: Path) -> None:
    watching, bench = session(folder)
    watching.handle(NowPolling("no events here"))
    assert "no events here" in bench.said[-1]


def test_files_that_cannot_be_checked_now_are_told_and_do_not_end_it(folder: Path) -> None:
    watching, bench = session(folder)
    bench.refuses = BadInputError("There are no exercises here.")
    assert watching.handle(saved("softmax.py")) is Going.ON
    assert bench.said[-1] == "There are no exercises here."


def test_a_fault_of_ours_is_owned_and_does_not_end_it(folder: Path) -> None:
    watching, bench = session(folder)
    bench.refuses = OwnFaultError("The guest is gone.")
    assert watching.handle(saved("softmax.py")) is Going.ON
    assert "The guest is gone." in bench.said[-1]
    assert "a fault of attnpack, not of your code" in bench.said[-1]


def test_the_last_line_names_the_bug_and_its_place(folder: Path) -> None:
    _, bench = session(folder, softmax=Status.FAILED)
    assert "softmax: exponentials without subtracting the maximum, softmax.py:3." in bench.said[-1]


@pytest.mark.parametrize("key", ["h", "e", "l", "t", "?"])
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
