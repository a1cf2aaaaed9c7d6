"""What `attnpack export` writes is what the platforms can run."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

import pytest

from attnpack import __version__
from attnpack.errors import BadInputError
from attnpack.grade.export import RUBRIC_SECRET, Platform, Wanted, advice, export
from attnpack.terms import Backend

WORKFLOW = Path(__file__).parents[2] / "docs" / "grade.yml"
RUBRIC = "[exercises.softmax]\npoints = 4\n"


@pytest.fixture
def rubric(tmp_path: Path) -> Path:
    path = tmp_path / "rubric.toml"
    path.write_text(RUBRIC)
    return path


def is_bash(script: str) -> bool:
    return subprocess.run(["bash", "-n"], input=script, text=True, check=False).returncode == 0


def steps_of(workflow: dict[str, object]) -> list[dict[str, str]]:
    jobs = workflow["jobs"]
    assert isinstance(jobs, dict)
    return [step for job in jobs.values() for step in job["steps"]]


def test_gradescope_gets_an_archive_with_two_scripts_that_can_be_run(
    tmp_path: Path, rubric: Path
) -> None:
    [path] = export(Platform.GRADESCOPE, tmp_path / "gs", Wanted(rubric))
    with zipfile.ZipFile(path) as archive:
        texts = {info.filename: archive.read(info).decode() for info in archive.infolist()}
        modes = {info.filename: info.external_attr >> 16 for info in archive.infolist()}
    assert set(texts) == {"setup.sh", "run_autograder", "seed-secret.txt", "rubric.toml"}
    assert all(
        mode & 0o111 for name, mode in modes.items() if name in ("setup.sh", "run_autograder")
    )
    assert is_bash(texts["setup.sh"])
    assert is_bash(texts["run_autograder"])
    assert f"attnpack=={__version__}" in texts["setup.sh"]
    assert "--rubric /autograder/source/rubric.toml" in texts["run_autograder"]
    assert texts["rubric.toml"] == RUBRIC
    assert "@" not in texts["run_autograder"]


def test_each_autograder_has_a_secret_of_its_own(tmp_path: Path) -> None:
    secrets = []
    for name in ("a", "b"):
        with zipfile.ZipFile(export(Platform.GRADESCOPE, tmp_path / name)[0]) as archive:
            secrets.append(archive.read("seed-secret.txt"))
            assert "rubric.toml" not in archive.namelist()
    assert secrets[0] != secrets[1]


def test_github_classroom_gets_a_workflow(tmp_path: Path, rubric: Path) -> None:
    yaml = pytest.importorskip("yaml")
    workflow, kept = export(Platform.GITHUB_CLASSROOM, tmp_path / "gh", Wanted(rubric))
    assert kept.read_text() == RUBRIC
    loaded = yaml.safe_load(workflow.read_text())
    steps = steps_of(loaded)
    scripts = [step["run"] for step in steps if "run" in step]
    assert all(is_bash(script) for script in scripts)
    assert any("--rubric .github/attnpack-rubric.toml" in script for script in scripts)
    assert steps[-1]["env"] == {"ATTNPACK_RESULTS": "${{ steps.attnpack.outputs.result }}"}  # type: ignore[comparison-overlap]


def test_the_workflow_of_the_docs_grades_every_shard_once() -> None:
    yaml = pytest.importorskip("yaml")
    workflow = yaml.safe_load(WORKFLOW.read_text())
    shards = workflow["jobs"]["shard"]["strategy"]["matrix"]["shard"]
    assert shards == list(range(1, int(workflow["env"]["SHARDS"]) + 1))
    scripts = [step["run"] for step in steps_of(workflow) if "run" in step]
    assert all(is_bash(script) for script in scripts)
    assert not any("${{" in script for script in scripts)


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    for platform in Platform:
        export(platform, tmp_path / platform)
        with pytest.raises(BadInputError, match="already"):
            export(platform, tmp_path / platform)


def test_a_wrong_rubric_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    rubric = tmp_path / "rubric.toml"
    rubric.write_text("[exercises.softmx]\n")
    with pytest.raises(BadInputError, match="softmx"):
        export(Platform.GRADESCOPE, tmp_path / "gs", Wanted(rubric))
    assert not (tmp_path / "gs").exists()


def text_of(path: Path, name: str) -> str:
    with zipfile.ZipFile(path) as archive:
        return archive.read(name).decode()


def test_a_torch_course_gets_torch_without_graphics_cards(tmp_path: Path) -> None:
    wanted = Wanted(backend=Backend.TORCH)
    [path] = export(Platform.GRADESCOPE, tmp_path / "gs", wanted)
    [workflow] = export(Platform.GITHUB_CLASSROOM, tmp_path / "gh", wanted)
    for text in (text_of(path, "setup.sh"), workflow.read_text()):
        assert "torch" in text
        assert "/cpu" in text
    assert "--backend torch" in text_of(path, "run_autograder")
    assert "--backend torch" in workflow.read_text()
    assert "torch" not in export(Platform.GITHUB_CLASSROOM, tmp_path / "np")[0].read_text()
    assert is_bash(text_of(path, "setup.sh"))


def test_a_wheel_goes_along_where_no_index_has_attnpack(tmp_path: Path) -> None:
    wheel = tmp_path / f"attnpack-{__version__}-py3-none-any.whl"
    wheel.write_bytes(b"PK")
    [path] = export(Platform.GRADESCOPE, tmp_path / "gs", Wanted(wheel=wheel))
    assert text_of(path, wheel.name) == "PK"
    workflow, kept = export(Platform.GITHUB_CLASSROOM, tmp_path / "gh", Wanted(wheel=wheel))
    assert f"pip install .github/{wheel.name}" in workflow.read_text()
    assert kept.read_bytes() == b"PK"
    assert advice(Platform.GRADESCOPE, Wanted(wheel=wheel)) == []
    assert "python -m build --wheel" in advice(Platform.GRADESCOPE, Wanted())[0]
    with pytest.raises(BadInputError, match="no wheel"):
        export(Platform.GRADESCOPE, tmp_path / "x", Wanted(wheel=tmp_path / "none.whl"))


def test_hidden_checks_are_not_put_into_the_students_repository(tmp_path: Path) -> None:
    rubric = tmp_path / "rubric.toml"
    rubric.write_text(f"hidden = ['values']\n{RUBRIC}")
    written = export(Platform.GITHUB_CLASSROOM, tmp_path / "gh", Wanted(rubric))
    assert [path.name for path in written] == ["classroom.yml"]
    assert "hidden" not in written[0].read_text()
    assert f'"${RUBRIC_SECRET}" > "$RUNNER_TEMP/rubric.toml"' in written[0].read_text()
    assert RUBRIC_SECRET in advice(Platform.GITHUB_CLASSROOM, Wanted(rubric))[-1]
