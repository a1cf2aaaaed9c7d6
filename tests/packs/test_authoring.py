"""A pack of one's own: laid out, worked through as docs/authors.md does, and diagnosed."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from foreign_packs import flat

from attnpack import pack
from attnpack.authoring import VALUES, Exercise, Stage
from attnpack.pack import cards

if TYPE_CHECKING:
    from collections.abc import Callable

    from typer.testing import Result

PAGE = (Path(__file__).parents[2] / "docs" / "authors.md").read_text(encoding="utf-8")
OWN_PART = PAGE[: PAGE.index("# In attnpack's own pack")]
BLOCK = re.compile(r"^```(?:python|toml)\n# (\S+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
HAS_TORCH = importlib.util.find_spec("torch") is not None

DIVIDED_BY_VARIANCE = """\
import numpy as np


def standardise(x):
    rows = x - x.mean(axis=-1, keepdims=True)
    spread = np.var(x, axis=-1, keepdims=True)
    return rows / spread
"""
IN_PLACE = """\
def standardise(x):
    m = x.mean(axis=-1, keepdims=True)
    d = x.std(axis=-1, keepdims=True)
    x -= m
    return x / d
"""
WRONG = {
    "mean kept": (
        "def standardise(x):\n    d = x.std(axis=-1, keepdims=True)\n    return x / d\n",
        ["mean-kept"],
        3,
    ),
    "divided by the variance": (DIVIDED_BY_VARIANCE, ["divided-by-variance"], 6),
    "both": (
        "def standardise(x):\n    return x / x.var(axis=-1, keepdims=True)\n",
        ["mean-kept", "divided-by-variance"],
        2,
    ),
    "raises": ("def standardise(x):\n    y = x\n    return y.no\n", ["raises"], 3),
    "loads with an error": (
        "import nump\n\n\ndef standardise(x):\n    return nump.array(x)\n",
        ["raises"],
        1,
    ),
    "loops": ("def standardise(x):\n    while True:\n        x = x\n", ["never-returns"], None),
    "ends": ("import os\n\ndef standardise(x):\n    os._exit(0)\n", ["ends-process"], 4),
    "in place": (
        IN_PLACE,
        ["input-mutated"],
        4,
    ),
    "no known bug": ("def standardise(x):\n    return x - 17.0\n", ["unrecognised"], 2),
    "returns nothing": ("def standardise(x):\n    x.mean()\n", ["unrecognised"], 2),
    "another shape": ("def standardise(x):\n    return x.mean()\n", ["unrecognised"], 2),
    "texts": ("def standardise(x):\n    return 'abc'\n", ["unrecognised"], 2),
}


@pytest.fixture
def own(tmp_path: Path, attnpack: Callable[..., Result]) -> Path:
    """A fresh pack, as it is laid out."""
    assert attnpack("dev", "new-pack", "mypack").exit_code == 0
    return tmp_path / "mypack"


def files(folder: Path) -> dict[str, str]:
    paths = [p for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    return {path.relative_to(folder).as_posix(): path.read_text() for path in paths}


def forget() -> None:
    """Packs are loaded once in a process; a test changes them in between."""
    pack.finding._from_folder.cache_clear()
    cards.cards_in.cache_clear()
    for name in [name for name in sys.modules if name.startswith("attnpack_pack_")]:
        del sys.modules[name]
    importlib.invalidate_caches()


def test_the_smallest_pack_holds_its_word_as_it_stands(
    own: Path, attnpack: Callable[..., Result]
) -> None:
    made = pack.load(str(own))
    assert len(made.exercises) == 1
    assert len([bug for bug in made.bugs().values() if bug.models]) == 2
    assert set(made.exercises[0].stages) - {"shapes", "values"} == {"centred"}
    result = attnpack("dev", "check", "--pack", "mypack")
    assert result.exit_code == 0, result.output
    assert "(2 models, 1 pairs, 1 named exactly): ok" in result.output


def test_the_page_names_every_file_of_the_smallest_pack(own: Path) -> None:
    section = PAGE[PAGE.index("## A pack") : PAGE.index("## An exercise")]
    named = set(re.findall(r"^\| `([\w./]+)` \|", section, re.MULTILINE))
    assert named == set(files(own))


def test_a_folder_that_is_not_empty_is_no_place_for_a_pack(
    own: Path, attnpack: Callable[..., Result]
) -> None:
    before = files(own)
    result = attnpack("dev", "new-pack", "mypack")
    assert result.exit_code == 2
    assert "is there already" in result.output
    assert files(own) == before


@pytest.mark.parametrize(
    "kind",
    # What never returns is waited for twice.
    [pytest.param(k, marks=[pytest.mark.exhaustive] * (k == "loops")) for k in WRONG],
)
def test_wrong_code_is_named_and_placed(
    own: Path, attnpack: Callable[..., Result], kind: str, tmp_path: Path
) -> None:
    text, bugs, line = WRONG[kind]
    attnpack("init", "work", "--pack", "mypack")
    (tmp_path / "work" / "standardise.py").write_text(text)
    (exercise,) = json.loads(attnpack("check", "work", "--json").output)["exercises"]
    found = [bug for check in exercise["checks"] for bug in check["bugs"]]
    assert [bug["id"] for bug in found] == bugs
    if line is not None:
        assert {bug["line"] for bug in found} == {line}
    assert attnpack("check", "work").exit_code == 1  # and it can be drawn


def test_a_stage_of_its_own_says_what_is_wrong_before_values(
    own: Path, attnpack: Callable[..., Result], tmp_path: Path
) -> None:
    attnpack("init", "work", "--pack", "mypack")
    (tmp_path / "work" / "standardise.py").write_text(WRONG["mean kept"][0])
    (exercise,) = json.loads(attnpack("check", "work", "--json").output)["exercises"]
    assert [(c["stage"], c["status"]) for c in exercise["checks"]] == [
        ("shapes", "passed"),
        ("centred", "failed"),
        ("values", "skipped"),
    ]
    assert "a row has the mean" in exercise["checks"][1]["message"]


def test_right_code_of_another_form_passes(
    own: Path, attnpack: Callable[..., Result], tmp_path: Path
) -> None:
    attnpack("init", "work", "--pack", "mypack")
    right = (
        "import numpy as np\n\n\ndef standardise(x):\n    x = np.float32(x)\n"
        "    rows = x - x.sum(-1, keepdims=True) / x.shape[-1]\n"
        "    return rows / np.sqrt((rows * rows).mean(-1, keepdims=True))\n"
    )
    (tmp_path / "work" / "standardise.py").write_text(right)
    assert attnpack("check", "work").exit_code == 0


def test_the_trace_names_what_a_line_made(
    own: Path, attnpack: Callable[..., Result], tmp_path: Path
) -> None:
    attnpack("init", "work", "--pack", "mypack")
    (tmp_path / "work" / "standardise.py").write_text(DIVIDED_BY_VARIANCE)
    shown = attnpack("trace", "work", "standardise").output
    assert re.search(r"rows \(B, D\) centred", shown)
    assert re.search(r"spread \(B, 1\) no right value", shown)
    assert "departs here: divided by the variance" in flat(shown)


def test_an_exercise_and_a_bug_are_added_as_the_page_does(
    own: Path, attnpack: Callable[..., Result], tmp_path: Path
) -> None:
    """Every command and every file of the page, and how many files each of the two touches."""
    blocks = re.findall(r"^```sh\n(.*?)^```", OWN_PART, re.DOTALL | re.MULTILINE)
    commands = [line.removeprefix("attnpack ") for block in blocks for line in block.splitlines()]
    first, check, add_exercise, check_exercise, add_bug, check_bug = map(str.split, commands)
    assert first == ["dev", "new-pack", own.name]
    assert attnpack(*check).exit_code == 0
    shown = dict(BLOCK.findall(OWN_PART))
    before = files(own)
    assert attnpack(*add_exercise).exit_code == 0
    for path in (path for path in shown if "rms_norm" in path):
        (own / path).parent.mkdir(parents=True, exist_ok=True)
        (own / path).write_text(shown[path])
    forget()
    with_exercise = files(own)
    touched = {path for path in with_exercise if with_exercise[path] != before.get(path)}
    assert len(touched) == 6
    assert "Six files in NumPy and PyTorch" in PAGE
    backend = () if HAS_TORCH else ("--backend", "numpy")
    held = ("dev", "check", "--pack", "mypack", *backend)
    result = attnpack(*check_exercise)
    assert result.exit_code == 0, result.output
    assert attnpack(*held).exit_code == 0

    assert attnpack(*add_bug).exit_code == 0
    function, entry = shown["checks/bugs.py"].rstrip().split("\n\n")
    bugs = (own / "checks" / "bugs.py").read_text()
    bugs = re.sub(r"def root_missing.*?(?=\n\n\nBUGS)", function, bugs, flags=re.DOTALL)
    bugs = re.sub(r" *bug\(\"root-missing\".*", entry, bugs)
    (own / "checks" / "bugs.py").write_text(bugs)
    told = (own / "checks" / "bugs.toml").read_text()
    told = told[: told.index("[root-missing]")] + shown["checks/bugs.toml"]
    (own / "checks" / "bugs.toml").write_text(told)
    forget()
    with_bug = files(own)
    touched = {path for path in with_bug if with_bug[path] != with_exercise.get(path)}
    assert touched == {"checks/bugs.py", "checks/bugs.toml"}
    result = attnpack(*check_bug)
    assert result.exit_code == 0, result.output
    assert "bugs of rms_norm (1 models, 0 pairs" in result.output
    assert "TODO" not in (own / "checks" / "bugs.py").read_text()
    assert attnpack(*held).exit_code == 0

    attnpack("init", "work", "--pack", "mypack")
    (tmp_path / "work" / "rms_norm.py").write_text(
        "def rms_norm(x, gain):\n    return gain * x / (x**2).mean(-1, keepdims=True)\n"
    )
    checked = attnpack("check", "work", "rms_norm")
    assert "divided by the mean square (root-missing)" in flat(checked.output)


def test_what_is_laid_out_for_an_exercise_runs_before_it_is_written(
    own: Path, attnpack: Callable[..., Result]
) -> None:
    assert attnpack("dev", "new", "exercise", "Doubled", "--pack", "mypack").exit_code == 0
    forget()
    result = attnpack("dev", "check", "--pack", "mypack", "--exercise", "Doubled")
    assert result.exit_code == 0, result.output
    assert [exercise.file for exercise in pack.load(str(own)).exercises][1] == "doubled.py"


def test_a_bug_that_is_laid_out_says_what_is_left_to_do(
    own: Path, attnpack: Callable[..., Result]
) -> None:
    assert attnpack("dev", "new", "bug", "too-large", "--pack", "mypack").exit_code == 0
    forget()
    result = attnpack("dev", "check", "--pack", "mypack", "--bug", "too-large")
    assert result.exit_code == 1
    assert "too-large is diagnosed as raises" in flat(result.output)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("exercise", "standardise"), "has an exercise standardise already"),
        (("exercise", "two words"), "is no name that Python knows"),
        (("bug", "mean-kept"), "has a bug mean-kept already"),
        (("bug", "Mean_Kept"), "is no id of a bug"),
    ],
)
def test_a_name_that_cannot_be_added_is_refused(
    own: Path, attnpack: Callable[..., Result], words: tuple[str, str], said: str
) -> None:
    before = files(own)
    result = attnpack("dev", "new", *words, "--pack", "mypack")
    assert result.exit_code == 2
    assert said in flat(result.output)
    assert files(own) == before


def test_an_author_who_wrote_another_form_is_told_what_to_add_by_hand(
    own: Path, attnpack: Callable[..., Result]
) -> None:
    init = own / "checks" / "__init__.py"
    init.write_text(init.read_text().replace("from . import bugs", "from . import  bugs"))
    forget()
    result = attnpack("dev", "new", "exercise", "other", "--pack", "mypack")
    assert result.exit_code == 0
    assert "to do by hand in" in result.output
    assert "from . import bugs, other" in result.output


BREAKS = {
    "a stub that is done": (
        "exercises/numpy/standardise.py",
        lambda text: text.replace("raise NotImplementedError", "return x\n    raise ValueError"),
        "the stub of standardise is",
    ),
    "a wrong solution": (
        "reference/numpy/standardise.py",
        lambda text: text.replace("np.std", "np.var"),
        "the reference of standardise fails values",
    ),
    "a card that is missing": (
        "checks/bugs.toml",
        lambda text: text[: text.index("[divided-by-variance]")],
        "has no card [divided-by-variance]",
    ),
    "a bug without a model": (
        "checks/bugs.py",
        lambda text: text.replace(", way(centre=keep_the_mean)", ""),
        "mean-kept has neither a model nor a reason",
    ),
    "two bugs that are one": (
        "checks/bugs.py",
        lambda text: text.replace(".var(axis", ".std(axis"),
        "divided-by-variance passes every stage: no probe shows it",
    ),
    "a file that is missing": ("exercises/numpy/standardise.py", None, "standardise has no "),
    "a file of another name": (
        "checks/standardise.py",
        lambda text: text.replace('file="standardise.py"', 'file="other.py"'),
        "the file of standardise is other.py, not standardise.py",
    ),
}


@pytest.mark.parametrize("kind", BREAKS)
def test_a_pack_that_breaks_its_word_is_told_where(
    own: Path, attnpack: Callable[..., Result], kind: str
) -> None:
    path, change, said = BREAKS[kind]
    if change is None:
        (own / path).unlink()
    else:
        text = (own / path).read_text()
        assert change(text) != text
        (own / path).write_text(change(text))
    result = attnpack("dev", "check", "--pack", "mypack")
    assert result.exit_code == 1
    assert said in flat(result.output)


def test_what_dev_check_is_asked_for_must_be_there(
    own: Path, attnpack: Callable[..., Result]
) -> None:
    for words in (("--exercise", "nothing"), ("--bug", "nothing")):
        result = attnpack("dev", "check", "--pack", "mypack", *words)
        assert result.exit_code == 2
        assert "nothing" in result.output


def test_stages_of_all_exercises_come_in_order() -> None:
    from attnpack.authoring.function_pack import FunctionPack

    def exercise(name: str, *stages: str) -> Exercise:
        texts = {"title": "", "equation": "", "needs": (), "hints": ("", "", ""), "read": ()}
        own = {Stage(stage): lambda _inputs, _results: "" for stage in stages}
        return Exercise(
            name=name,
            file=f"{name}.py",
            arguments=(),
            results=(),
            steps=(),
            ask=lambda _: {},
            properties=own,
            **texts,
        )

    made = FunctionPack(
        name="x",
        title="x",
        root=Path(),
        exercises=[exercise("a", "one"), exercise("b", "two", "one")],
        bugs=[],
    )
    assert made.stages == ("shapes", "one", "two", VALUES)


def test_a_cohort_is_graded_with_a_pack_of_ones_own(
    own: Path, attnpack: Callable[..., Result], tmp_path: Path
) -> None:
    (tmp_path / "in" / "right").mkdir(parents=True)
    shutil.copy(own / "reference" / "numpy" / "standardise.py", tmp_path / "in" / "right")
    (tmp_path / "in" / "wrong.py").write_text(DIVIDED_BY_VARIANCE)
    done = subprocess.run(
        [sys.executable, "-m", "attnpack", "grade", "in", "--out", "out", "--pack", "mypack"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    table = (tmp_path / "out" / "grades.csv").read_text()
    assert re.search(r"^right,.*,1(\.0)?,", table, re.MULTILINE)
    assert "divided-by-variance" in (tmp_path / "out" / "cohort.html").read_text()


def test_loading_a_pack_of_ones_own_imports_no_numpy(own: Path) -> None:
    program = (
        "import sys; from attnpack import pack; "
        f"found = pack.load({str(own)!r}); assert found.bugs() and found.chapters; "
        "sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
