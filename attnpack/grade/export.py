"""`attnpack export PLATFORM DIR`: what a course platform needs to grade with attnpack."""

from __future__ import annotations

import secrets
import zipfile
from enum import StrEnum
from typing import TYPE_CHECKING

from attnpack import __version__
from attnpack import pack as packs
from attnpack.errors import BadInputError
from attnpack.grade.rubric import read_rubric

if TYPE_CHECKING:
    from pathlib import Path

_EPOCH = (1980, 1, 1, 0, 0, 0)
_EXECUTABLE = 0o755


class Platform(StrEnum):
    """Where submissions come in."""

    GRADESCOPE = "gradescope"
    GITHUB_CLASSROOM = "github-classroom"


def export(platform: Platform, folder: Path, rubric: Path | None = None) -> list[Path]:
    """Write the platform's files into a folder; the files written, the one to hand in first.

    Raises BadInputError where something is in the way or the rubric is wrong.
    """
    text = ""
    if rubric:
        read_rubric(rubric, packs.load())
        text = rubric.read_text("utf-8")
    if platform is Platform.GRADESCOPE:
        return [_autograder(folder, text)]
    return _workflow(folder, text)


def _autograder(folder: Path, rubric: str) -> Path:
    """Gradescope's archive: `setup.sh`, `run_autograder`, a fresh secret and the rubric."""
    files = {
        "setup.sh": _filled(SETUP, ""),
        "run_autograder": _filled(RUN, "/autograder/source/rubric.toml" if rubric else ""),
        "seed-secret.txt": secrets.token_hex(32) + "\n",
    }
    if rubric:
        files["rubric.toml"] = rubric
    path = _free(folder / "autograder.zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            member = zipfile.ZipInfo(name, _EPOCH)
            member.external_attr = _EXECUTABLE << 16
            archive.writestr(member, text)
    return path


def _workflow(folder: Path, rubric: str) -> list[Path]:
    """GitHub Classroom's workflow, and the rubric beside it."""
    workflow = _free(folder / ".github" / "workflows" / "classroom.yml")
    workflow.write_text(_filled(CLASSROOM, ".github/attnpack-rubric.toml" if rubric else ""))
    if not rubric:
        return [workflow]
    kept = _free(folder / ".github" / "attnpack-rubric.toml")
    kept.write_text(rubric, "utf-8")
    return [workflow, kept]


def _filled(template: str, rubric: str) -> str:
    """The template with this version, and the rubric's path where there is one."""
    option = f" --rubric {rubric}" if rubric else ""
    return template.replace("@VERSION@", __version__).replace("@RUBRIC@", option)


def _free(path: Path) -> Path:
    if path.exists():
        raise BadInputError(f"{path} is there already. Move it away, or name another folder.")
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


SETUP = """\
#!/usr/bin/env bash
# Runs once, when Gradescope builds the autograder.
set -euo pipefail
apt-get update
apt-get install -y --no-install-recommends python3.11 python3.11-venv
python3.11 -m venv /opt/attnpack
# A wheel put into this archive is used before the package index.
wheels=(/autograder/source/attnpack-*.whl)
if [ -e "${wheels[0]}" ]; then
  /opt/attnpack/bin/pip install "${wheels[0]}"
else
  /opt/attnpack/bin/pip install "attnpack==@VERSION@"
fi
chmod 600 /autograder/source/seed-secret.txt
"""

RUN = """\
#!/usr/bin/env bash
# Runs for each submission. Without a mark it fails, so that Gradescope shows no zero.
set -euo pipefail
cohort=$(mktemp -d)
cp -r /autograder/submission "$cohort/submission"
/opt/attnpack/bin/attnpack grade "$cohort" --out "$cohort.out" --jobs 1 \\
  --require-isolation contained --seed-secret-file /autograder/source/seed-secret.txt@RUBRIC@
cp "$cohort.out/gradescope/submission.json" /autograder/results/results.json
"""

CLASSROOM = """\
name: GitHub Classroom
on: [push, workflow_dispatch]
permissions:
  checks: write
  actions: read
  contents: read
jobs:
  attnpack:
    runs-on: ubuntu-latest
    if: github.actor != 'github-classroom[bot]'
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: pip install "attnpack==@VERSION@"
      - id: attnpack
        shell: bash
        run: |
          mkdir "$RUNNER_TEMP/cohort"
          cp -r "$GITHUB_WORKSPACE" "$RUNNER_TEMP/cohort/submission"
          attnpack grade "$RUNNER_TEMP/cohort" --out "$RUNNER_TEMP/out" --jobs 1@RUBRIC@
          cat "$RUNNER_TEMP/out/github/submission.txt"
          cat "$RUNNER_TEMP/out/summary.md" >> "$GITHUB_STEP_SUMMARY"
          result=$(base64 -w0 "$RUNNER_TEMP/out/classroom/submission.json")
          echo "result=$result" >> "$GITHUB_OUTPUT"
      - uses: classroom-resources/autograding-grading-reporter@v1
        env:
          ATTNPACK_RESULTS: "${{ steps.attnpack.outputs.result }}"
        with:
          runners: attnpack
"""
