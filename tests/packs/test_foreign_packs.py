"""Packs of others: found by folder or by entry point, used everywhere, and said when broken."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING

import pytest
from foreign_packs import TWO, flat, solve

from attnpack import pack, workspace
from attnpack.errors import BadInputError
from attnpack.grade.commands import Options, grade, merge

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from typer.testing import Result

OVER_QUERIES = """\
import numpy as np


def softmax(scores):
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-2, keepdims=True)
"""
DERIVED = """\
from attnpack.pack import load


class Own(type(load())):
    {}


PACK = Own()
"""
BROKEN = {
    "no PACK": ("x = 1\n", "defines no PACK"),
    "a list": ("PACK = []\n", "PACK is of type list, and must be"),
    "a class": (
        "from attnpack.pack import Pack\nclass Own(Pack):\n    pass\nPACK = Own\n",
        "PACK is of type ABCMeta",
    ),
    "no syntax": ("PACK = (\n", "cannot be loaded: SyntaxError"),
    "raises": ("PACK = 1 / 0\n", "cannot be loaded: ZeroDivisionError: division by zero"),
    "no exercises": (
        DERIVED.format("exercises = ()"),
        "PACK has no exercises",
    ),
    "an empty chapter": (
        DERIVED.format("chapter_titles = {'attention': 'a', 'block': 'b', 'c': 'd'}"),
        "the chapter c has no exercises",
    ),
    "a chapter without a title": (
        DERIVED.format("chapter_titles = {'b': 'c'}"),
        "softmax is of the chapter attention, which chapter_titles does not name",
    ),
}


@pytest.fixture
def here(tmp_path: Path, attnpack: Callable[..., Result]) -> Path:
    """A workspace of a foreign pack, and the current folder."""
    assert attnpack("init", "--pack", str(TWO)).exit_code == 0
    return tmp_path


def test_without_a_name_it_is_the_pack_that_comes_with_attnpack() -> None:
    assert pack.load() is pack.load("attention")
    assert pack.load().place is None


def test_a_folder_is_loaded_once_by_whatever_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = pack.load(str(TWO))
    monkeypatch.chdir(TWO.parent)
    assert pack.load("two_chapters") is found is pack.load("./two_chapters")
    assert found.place == str(TWO)


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_pack_is_said_with_its_file_and_ends_with_two(
    tmp_path: Path, attnpack: Callable[..., Result], kind: str
) -> None:
    text, said = BROKEN[kind]
    (tmp_path / "own" / "checks").mkdir(parents=True)
    (tmp_path / "own" / "checks" / "__init__.py").write_text(text)
    for words in (("list",), ("init",), ("explain",), ("dev", "check"), ("check", "x.py")):
        result = attnpack(*words, "--pack", "own")
        assert result.exit_code == 2, result.output
        assert said in flat(result.output)
        assert "__init__.py" in result.output


def test_a_pack_that_is_not_there_is_said_and_ends_with_two(
    tmp_path: Path, attnpack: Callable[..., Result]
) -> None:
    (tmp_path / "empty").mkdir()
    for name, said in (
        ("nowhere", "There is no pack 'nowhere'"),
        ("empty", "is no pack: there is no"),
        ("./nowhere", "There is no pack './nowhere'"),
    ):
        result = attnpack("list", "--pack", name)
        assert result.exit_code == 2
        assert said in flat(result.output)
        assert "attnpack dev new-pack" in flat(result.output)


def test_the_workspace_remembers_its_pack(here: Path, attnpack: Callable[..., Result]) -> None:
    state = json.loads((here / ".attnpack" / "state.json").read_text())
    assert (state["place"], state["pack_name"]) == (str(TWO), "two-chapters")
    assert workspace.needed(here).pack is pack.load(str(TWO))
    assert [e["name"] for e in json.loads(attnpack("check", "--json").output)["exercises"]] == [
        "softmax",
        "attention_scores",
    ]


def test_everything_in_the_workspace_uses_its_pack(
    here: Path, attnpack: Callable[..., Result]
) -> None:
    (here / "softmax.py").write_text(OVER_QUERIES)
    report = json.loads(attnpack("check", "--json").output)
    assert report["pack"] == pack.load(str(TWO)).fingerprint()
    failing = report["exercises"][0]["checks"]
    assert ["softmax-over-queries"] in [[bug["id"] for bug in c["bugs"]] for c in failing]
    assert "softmax over the queries" in flat(attnpack("trace", "softmax").output)
    assert "def softmax" in attnpack("solution", "softmax", "--give-up").output
    assert "softmax, hint 1" in attnpack("hint").output
    assert attnpack("explain", "softmax-over-queries").exit_code == 0
    assert "softmax(" in attnpack("repro", "softmax").output
    assert attnpack("reset", "SelfAttention").exit_code == 2
    assert attnpack("reset", "softmax").exit_code == 0


def test_commands_of_the_look_say_whose_they_are(
    here: Path, attnpack: Callable[..., Result]
) -> None:
    solve(here, "softmax", "attention_scores")
    for words in (("heatmap", "the cat"), ("generate", "the"), ("shapes",)):
        result = attnpack(*words)
        assert result.exit_code == 2
        assert "the pack two-chapters does without them" in flat(result.output)
    sheet = attnpack("shapes", "--verify", "SHAPES.md")
    assert sheet.exit_code == 2
    assert "the pack two-chapters does without them" in flat(sheet.output)


def test_another_pack_in_a_workspace_is_refused(
    here: Path, attnpack: Callable[..., Result]
) -> None:
    result = attnpack("check", "--pack", "attention")
    assert result.exit_code == 2
    assert "is a workspace of the pack two-chapters, not of attention" in flat(result.output)
    again = attnpack("init", "--pack", "attention")
    assert again.exit_code == 2
    assert "is a workspace of the pack two-chapters already" in flat(again.output)


def test_a_pack_that_moved_is_said_and_can_be_named_again(
    tmp_path: Path, attnpack: Callable[..., Result], monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(TWO, tmp_path / "first")
    assert attnpack("init", "work", "--pack", "first").exit_code == 0
    (tmp_path / "first").rename(tmp_path / "second")
    pack.finding._from_folder.cache_clear()
    monkeypatch.chdir(tmp_path / "work")
    result = attnpack("check")
    assert result.exit_code == 2
    assert "attnpack init --pack FOLDER" in flat(result.output)
    assert attnpack("init", "--pack", "../second").exit_code == 0
    assert workspace.needed(tmp_path / "work").pack.place == str(tmp_path / "second")


@pytest.mark.parametrize("place", ["evil", "./evil", "~/evil"])
def test_a_state_that_someone_sends_runs_nothing_that_lies_beside_it(
    here: Path, attnpack: Callable[..., Result], monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setenv("HOME", str(here))
    (here / "evil" / "checks").mkdir(parents=True)
    (here / "evil" / "checks" / "__init__.py").write_text("raise SystemExit('owned')\n")
    path = here / ".attnpack" / "state.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "place": place}))
    result = attnpack("list")
    assert result.exit_code == 2
    assert f"The pack '{place}' is not installed" in flat(result.output)
    assert "owned" not in result.output


def test_a_notebook_can_check_a_foreign_packs_exercises() -> None:
    from attnpack.live import check_in

    names = ["softmax", "causal_mask"]
    source = OVER_QUERIES + "\n\ndef causal_mask(n):\n    return n\n"
    namespace = {"_ih": ["", source]}
    exec(compile(source, "cell", "exec"), namespace)
    checked = check_in(namespace, seed=1, pack=str(TWO))
    assert checked.report is not None, checked.text
    assert [exercise.name for exercise in checked.report.exercises] == names
    assert {exercise.chapter for exercise in checked.report.exercises} == {"begin", "more"}


def test_a_lost_state_file_can_be_made_again_for_a_foreign_pack(
    here: Path, attnpack: Callable[..., Result]
) -> None:
    (here / "softmax.py").unlink()
    (here / "attention_scores.py").rename(here / "own.py")
    (here / ".attnpack" / "state.json").write_text("{")
    attnpack("list")
    assert attnpack("init", "--pack", str(TWO)).exit_code == 0
    assert workspace.needed(here).pack.name == "two-chapters"


def test_an_installed_pack_is_found_by_its_entry_point(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "two_chapters_pack-1.dist-info").mkdir(parents=True)
    shutil.copy(TWO / "checks" / "__init__.py", site / "two_chapters_pack.py")
    (site / "two_chapters_pack-1.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: two-chapters-pack\nVersion: 1\n"
    )
    (site / "two_chapters_pack-1.dist-info" / "entry_points.txt").write_text(
        "[attnpack.packs]\ntwo = two_chapters_pack:PACK\nbroken = two_chapters_pack:NO_SUCH\n"
    )
    env = {**os.environ, "PYTHONPATH": str(site), "COLUMNS": "80"}

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "attnpack", *words]
        return subprocess.run(
            command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False
        )

    listed = run("list", "--pack", "two")
    assert "begin: The first two" in listed.stdout, listed.stderr
    assert run("init", "work", "--pack", "two").returncode == 0
    solve(tmp_path / "work", "softmax", "attention_scores")
    done = run("check", "work")
    assert "All 2 exercises passed." in done.stdout, done.stderr
    state = json.loads((tmp_path / "work" / ".attnpack" / "state.json").read_text())
    assert state["place"] == "two"
    for platform in ("gradescope", "github-classroom"):
        assert run("export", platform, platform, "--pack", "two").returncode == 0
    workflow = (tmp_path / "github-classroom/.github/workflows/classroom.yml").read_text()
    assert 'pip install "two-chapters-pack==1"' in workflow
    assert "--jobs 1 --pack two\n" in workflow
    with zipfile.ZipFile(tmp_path / "gradescope" / "autograder.zip") as archive:
        assert 'pip install "two-chapters-pack==1"' in archive.read("setup.sh").decode()
    broken = run("list", "--pack", "broken")
    assert broken.returncode == 2
    assert "The installed pack broken (two_chapters_pack:NO_SUCH) cannot be loaded" in flat(
        broken.stderr
    )
    assert "these are installed: attention, " in flat(run("list", "--pack", "tow").stderr)


def test_a_pack_in_a_folder_goes_into_the_autograder_and_into_no_repository(
    tmp_path: Path, attnpack: Callable[..., Result]
) -> None:
    rubric = tmp_path / "rubric.toml"
    rubric.write_text("[exercises.softmax]\npoints = 4\n")
    words = ("--pack", str(TWO), "--rubric", str(rubric))
    assert attnpack("export", "gradescope", str(tmp_path / "gs"), *words).exit_code == 0
    with zipfile.ZipFile(tmp_path / "gs" / "autograder.zip") as archive:
        archive.extractall(tmp_path / "unpacked")
        assert "--pack /autograder/source/pack" in archive.read("run_autograder").decode()
    laid = pack.load(str(tmp_path / "unpacked" / "pack"))
    assert [e.name for e in laid.exercises] == [e.name for e in pack.load(str(TWO)).exercises]
    refused = attnpack("export", "github-classroom", str(tmp_path / "gh"), *words)
    assert refused.exit_code == 2
    assert "holds its solutions" in flat(refused.output)


def test_a_light_command_on_a_foreign_pack_imports_no_numpy(tmp_path: Path) -> None:
    program = (
        "import sys; from attnpack import pack; "
        f"found = pack.load({str(TWO)!r}); assert found.bugs() and found.chapters; "
        "sys.exit('numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cohort graded on both chapters of a foreign pack."""
    place = tmp_path_factory.mktemp("cohort")
    (place / "in" / "right").mkdir(parents=True)
    solve(place / "in" / "right", "softmax", "attention_scores", "causal_mask", "apply_attention")
    (place / "in" / "wrong.py").write_text(OVER_QUERIES)
    (place / "in" / "value.py").write_text(
        "from attnpack.value import Value\n\n\ndef causal_mask(n):\n    return n\n"
    )
    (place / "rubric.toml").write_text('chapters = ["begin", "more"]\n')
    options = Options(
        place / "in", place / "out", 2, pack=str(TWO), rubric=place / "rubric.toml", deadline_s=1
    )
    assert grade(options) == 0
    return place


def test_a_cohort_is_graded_with_a_foreign_pack(graded: Path) -> None:
    table = csv.DictReader(io.StringIO((graded / "out" / "grades.csv").read_text()))
    scores = {row["submission"]: float(row["score"]) for row in table}
    assert scores == {"right": 4.0, "value.py": 0.0, "wrong.py": 0.0}
    page = (graded / "out" / "cohort.html").read_text()
    assert "softmax-over-queries" in page
    assert "apply_attention" in page
    assert "SelfAttention" not in page


def test_a_merge_finds_the_pack_that_the_run_was_judged_with(graded: Path) -> None:
    assert merge([graded / "out"], graded / "merged") == 0
    ours, theirs = (graded / "out" / "grades.csv"), (graded / "merged" / "grades.csv")
    assert ours.read_text() == theirs.read_text()


def test_the_rubric_of_a_pack_knows_its_chapters_and_exercises(tmp_path: Path) -> None:
    from attnpack.grade.rubric import default_rubric, read_rubric

    two, path = pack.load(str(TWO)), tmp_path / "rubric.toml"
    assert list(default_rubric(two).points) == ["softmax", "attention_scores"]
    assert default_rubric(two).assignment == "Two chapters"
    path.write_text('chapters = ["more"]\n')
    assert list(read_rubric(path, two).points) == ["causal_mask", "apply_attention"]
    for text, said in (
        ('chapters = ["mroe"]\n', "There is no chapter 'mroe'"),
        ('chapters = "more"\n', "chapters must be a list of texts"),
        ('chapters = ["more"]\n[exercises.softmax]\npoints = 2\n', "no entry 'softmax'"),
    ):
        path.write_text(text)
        with pytest.raises(BadInputError, match=said):
            read_rubric(path, two)


def test_pytest_items_are_those_of_the_pack(here: Path, attnpack: Callable[..., Result]) -> None:
    attnpack("init", "--chapter", "more")
    solve(here, "softmax", "attention_scores", "causal_mask", "apply_attention")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(here)],
        cwd=here,
        capture_output=True,
        text=True,
        check=False,
    )
    stages = [s for e in workspace.needed(here).exercises for s in e.stages if s != "gradients"]
    assert f"{len(stages)} passed" in done.stdout, done.stdout
