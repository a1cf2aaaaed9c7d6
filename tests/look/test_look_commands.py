"""heatmap and generate with real guests, and what they say to input that cannot be used."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from rich.console import Console

from attnpack import pack, submission
from attnpack.calls import Raised
from attnpack.errors import BadInputError
from attnpack.look import commands
from attnpack.look.commands import Demo, Subject, diagnosis, sentence_for, tokens_to_write
from attnpack.look.model import host_model
from attnpack.look.pictures.view import View
from attnpack.look.rendering.files import Form, form_of, write_whole
from attnpack.look.texts.sampling import Sampling
from attnpack.report.model import CheckReport, ExerciseReport, NamedBug, Report
from attnpack.terms import Backend, Match, Status

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from attnpack.submission import Submission

    Written = Callable[[str, str], Submission]

ALL = View()
NO_MASK = """
import numpy as np


def causal_mask(seq_len):
    return np.zeros((seq_len, seq_len))
"""
SENTENCE = "the cat sat on the mat"
FILE = "multi_head_attention.py"


def report(*checks: CheckReport, exercise: str = "MultiHeadAttention") -> Report:
    status = checks[0].status if checks else Status.PASSED
    judged = ExerciseReport(exercise, status, checks)
    return Report("0", "p", "process", "s", "numpy", 1, (judged,))


MASK_MISSING = report(
    CheckReport(
        "causal",
        Status.FAILED,
        "position 0 moves when token 1 is flipped",
        (NamedBug("causal-missing", Match.EXACT, FILE, 14),),
    )
)


class Desk:
    """A subject, and what was asked of it."""

    def __init__(self, code: Submission, judged: Report | None = None) -> None:
        self.checked = 0
        self.shown: list[Report] = []
        self._judged = judged or report()
        self.subject = Subject(code, Backend.NUMPY, self._check, self.shown.append)

    def _check(self) -> Report:
        self.checked += 1
        return self._judged


def reference_desk() -> Desk:
    return Desk(submission.load(pack.ROOT / "reference" / "numpy"))


def heatmap(
    subject: Subject | None, view: View = ALL, out: Path | None = None, words: str = SENTENCE
) -> tuple[bool, str]:
    stream = io.StringIO()
    console = Console(file=stream, width=100)
    return commands.heatmap(words, subject, view, console, out, 100), stream.getvalue()


def reference_text() -> str:
    return (pack.ROOT / "reference" / "numpy" / FILE).read_text()


def test_right_code_is_drawn_told_and_not_checked(tmp_path: Path) -> None:
    desk = reference_desk()
    right, text = heatmap(desk.subject, out=tmp_path / "picture.png")
    assert right
    assert "every weight agrees with the reference's" in text
    loss = f"{host_model.load().story_loss:.2f}"
    assert f"loss on held-out stories {loss}, the reference's {loss}" in text
    assert (tmp_path / "picture.png").read_bytes().startswith(b"\x89PNG")
    assert desk.checked == 0


def test_wrong_code_is_drawn_with_its_diagnosis_beside_it(tmp_path: Path, written: Written) -> None:
    code = written("causal_mask.py", NO_MASK)
    desk = Desk(code, MASK_MISSING)
    right, text = heatmap(desk.subject, out=tmp_path / "picture.svg")
    drawn = (tmp_path / "picture.svg").read_text()
    assert not right
    for said in ("LEAK", "position 0 moves", "causal-missing", "line 14"):
        assert said in text
        assert said in drawn


def test_code_that_raises_is_shown_as_check_shows_it(written: Written) -> None:
    raised = CheckReport("shapes", Status.ERROR, raised=Raised("ValueError", "no"))
    code = written("causal_mask.py", "def causal_mask(n):\n    raise ValueError('no')\n")
    desk = Desk(code, report(raised))
    right, _ = heatmap(desk.subject)
    assert not right
    assert desk.shown == [report(raised)]


def test_code_that_raises_only_here_is_told_in_our_words(written: Written) -> None:
    text = "def causal_mask(n):\n    print('n is', n)\n    raise ValueError('too long')\n"
    desk = Desk(written("causal_mask.py", text))
    right, said = heatmap(desk.subject)
    assert not right
    assert "ValueError: too long (causal_mask.py, line 3, in causal_mask)" in said
    assert "n is 7" in said
    assert desk.shown == []


def test_a_stub_is_not_looked_at_and_the_way_on_is_named(written: Written) -> None:
    stub = pack.load().stub_path("numpy", FILE).read_text()
    with pytest.raises(BadInputError, match=r"not written yet.*--reference"):
        heatmap(Desk(written(FILE, stub)).subject)


def test_the_reference_is_drawn_without_any_code() -> None:
    right, text = heatmap(None)
    assert right
    assert text.startswith("Attention of the reference")
    assert "no weight on the future, and every row sums to 1" in " ".join(text.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "The sentence is empty"),
        ("  \n\t", "The sentence is empty"),
        ("\u200b\ufe0f", "The sentence is empty"),
        ("the " * 64, "has 64 tokens, and 63 is all the model can see. It fits up to here: the"),
    ],
)
def test_a_sentence_that_cannot_be_looked_at_is_refused(words: str, said: str) -> None:
    with pytest.raises(BadInputError, match=said):
        heatmap(None, words=words)


@pytest.mark.parametrize(
    ("view", "said"),
    [
        (View(layer=2), "no layer 2: --layer takes 0 to 1"),
        (View(layer=-1), "no layer -1"),
        (View(head=4), "no head 4: --head takes 0 to 3"),
        (View(position=7), "no position 7: --position takes -7 to 6"),
        (View(position=-8), "no position -8"),
    ],
)
def test_a_layer_head_or_position_out_of_range_is_refused(view: View, said: str) -> None:
    with pytest.raises(BadInputError, match=said):
        heatmap(None, view)


@pytest.mark.parametrize("name", ["picture.gif", "picture", "picture.pdf"])
def test_a_file_of_another_kind_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInputError, match=r"ends in \.png, \.svg or \.html"):
        form_of(tmp_path / name)


def test_a_folder_that_is_not_there_is_named_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="There is no folder"):
        heatmap(None, out=tmp_path / "nowhere" / "picture.png")


def test_a_folder_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "picture.png").mkdir()
    with pytest.raises(BadInputError, match="is a folder"):
        form_of(tmp_path / "picture.png")


def test_upper_case_endings_count(tmp_path: Path) -> None:
    assert form_of(tmp_path / "PICTURE.PNG") is Form.PNG


def test_a_file_that_cannot_be_written_keeps_what_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "picture.png"
    path.write_bytes(b"before")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("attnpack.look.rendering.files.tempfile.mkstemp", full)
    with pytest.raises(BadInputError, match="disk is full"):
        write_whole(path, b"after")
    assert path.read_bytes() == b"before"


def test_no_half_written_file_is_left(tmp_path: Path) -> None:
    write_whole(tmp_path / "picture.png", b"whole")
    assert [path.name for path in tmp_path.iterdir()] == ["picture.png"]


def test_a_demo_is_a_sentence_and_excludes_another() -> None:
    assert sentence_for(None, Demo.INDUCTION).count("mr darcy met miss") == 2
    with pytest.raises(BadInputError, match="not both"):
        sentence_for("the", Demo.PREVIOUS)
    with pytest.raises(BadInputError, match="Which words"):
        sentence_for(None, None)


def test_the_value_track_has_a_shorter_limit(written: Written) -> None:
    code = submission.load(pack.ROOT / "reference" / "value")
    subject = Subject(code, Backend.VALUE, report, lambda _: None)
    with pytest.raises(BadInputError, match="limit of the value track"):
        heatmap(subject, words="the " * 9)
    assert tokens_to_write(subject, None) < tokens_to_write(None, None)
    assert tokens_to_write(subject, 7) == 7


def test_generate_writes_both_texts_and_both_losses() -> None:
    stream = io.StringIO()
    desk = reference_desk()
    console = Console(file=stream, width=100)
    assert commands.generate("attention is all", desk.subject, Sampling(), 3, console)
    assert stream.getvalue().count("... you need .") == 2
    loss = f"{host_model.load().story_loss:.2f}"
    assert f"yours {loss}, the reference {loss}" in stream.getvalue()


def test_generate_says_why_a_leak_makes_loss_and_text_disagree(written: Written) -> None:
    code = written("causal_mask.py", NO_MASK)
    stream = io.StringIO()
    console = Console(file=stream, width=100)
    assert not commands.generate("the cat", Desk(code).subject, Sampling(), 2, console)
    assert "looks at words that come later" in stream.getvalue()


def test_the_diagnosis_prefers_the_exercise_itself_and_else_what_it_uses() -> None:
    elsewhere = report(
        CheckReport("row_sums", Status.FAILED, "columns sum to 1"), exercise="softmax"
    )
    assert diagnosis(elsewhere) == ("check, softmax, row_sums: columns sum to 1",)
    assert "causal-missing" in diagnosis(MASK_MISSING)[1]
    assert "passes this code" in diagnosis(report())[0]


def test_a_backend_of_matplotlib_that_is_not_there_is_none_of_ours(tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    done = subprocess.run(
        [sys.executable, "-m", "attnpack", "heatmap", "a b", "--reference", "--out", str(picture)],
        env={**os.environ, "MPLBACKEND": "not_there"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert picture.is_file()


@pytest.mark.parametrize(("name", "told"), [("p.png", True), ("p.svg", False)])
def test_letters_that_a_png_lacks_are_said(tmp_path: Path, name: str, told: bool) -> None:
    right, text = heatmap(None, words="the 日 cat", out=tmp_path / name)
    assert right
    assert ("? stands for 日" in text) is told
