"""`attnpack export PLATFORM DIR`: what a course platform needs to grade with attnpack."""

from __future__ import annotations

import secrets
import zipfile
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from attnpack import __version__
from attnpack import pack as packs
from attnpack.errors import BadInputError
from attnpack.grade.rubric import read_rubric
from attnpack.terms import Backend

_EPOCH = (1980, 1, 1, 0, 0, 0)
_EXECUTABLE = 0o755


class Platform(StrEnum):
    """Where submissions come in."""

    GRADESCOPE = "gradescope"
    GITHUB_CLASSROOM = "github-classroom"


@dataclass(frozen=True)
class Wanted:
    """What the platform is to grade by."""

    rubric: Path | None = None
    backend: Backend | None = None
    """what all write in; torch is installed where it is torch"""
    wheel: Path | None = None
    """attnpack itself, where the package index does not have it"""
    pack: str | None = None
    """another's exercises: a folder or the name they are installed under"""


def export(platform: Platform, folder: Path, wanted: Wanted | None = None) -> list[Path]:
    """Write the platform's files into a folder; the files written, the one to hand in first.

    Raises BadInputError where something is in the way or the rubric is wrong.
    """
    given = wanted or Wanted()
    text, hides = "", False
    if (
        given.pack
        and platform is Platform.GITHUB_CLASSROOM
        and packs.distribution(given.pack) is None
    ):
        raise BadInputError(
            f"The pack {given.pack} holds its solutions, and would lie in the students' "
            "repositories. Publish it as a package and give its name (docs/authors.md)."
        )
    known = packs.load(given.pack)
    if given.rubric:
        hides = bool(read_rubric(given.rubric, known).hidden)
        text = given.rubric.read_text("utf-8")
    if given.wheel and not (given.wheel.is_file() and given.wheel.suffix == ".whl"):
        raise BadInputError(f"{given.wheel} is no wheel. Build one with: python -m build --wheel")
    if platform is Platform.GRADESCOPE:
        return [_autograder(folder, text, given)]
    return _workflow(folder, text, given, hides)


def advice(platform: Platform, wanted: Wanted) -> list[str]:
    """What is left to do by hand."""
    steps = []
    if wanted.wheel is None:
        steps.append(
            f"It installs attnpack=={__version__} from the package index. Where the index does not "
            "have it: python -m build --wheel, then export again with --wheel dist/attnpack-*.whl"
        )
    hides = wanted.rubric and read_rubric(wanted.rubric, packs.load(wanted.pack)).hidden
    if hides and platform is Platform.GITHUB_CLASSROOM:
        steps.append(
            "The rubric hides checks, so it is not put into the students' repositories: make an "
            f"organization secret {RUBRIC_SECRET} with the text of {wanted.rubric}"
        )
    return steps


def _autograder(folder: Path, rubric: str, wanted: Wanted) -> Path:
    """Gradescope's archive: `setup.sh`, `run_autograder`, a fresh secret, rubric and wheel."""
    files: dict[str, bytes] = {
        "setup.sh": _filled(SETUP, wanted).encode(),
        "run_autograder": _filled(
            RUN, wanted, "/autograder/source/rubric.toml" if rubric else ""
        ).encode(),
        "seed-secret.txt": f"{secrets.token_hex(32)}\n".encode(),
    }
    if rubric:
        files["rubric.toml"] = rubric.encode()
    if wanted.wheel:
        files[wanted.wheel.name] = wanted.wheel.read_bytes()
    if wanted.pack and packs.distribution(wanted.pack) is None:
        files |= _in_folder(Path(wanted.pack))
    path = _free(folder / "autograder.zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            member = zipfile.ZipInfo(name, _EPOCH)
            member.external_attr = _EXECUTABLE << 16
            archive.writestr(member, content)
    return path


def _workflow(folder: Path, rubric: str, wanted: Wanted, hides: bool) -> list[Path]:
    """GitHub Classroom's workflow; beside it the wheel, and the rubric if students may see it."""
    kept = ".github/attnpack-rubric.toml"
    place = '"$RUNNER_TEMP/rubric.toml"' if hides else kept
    workflow = _free(folder / ".github" / "workflows" / "classroom.yml")
    text = _filled(CLASSROOM, wanted, place if rubric else "")
    workflow.write_text(text.replace("@SECRET@", _FROM_SECRET if hides else ""), "utf-8")
    written = [workflow]
    if rubric and not hides:
        written.append(_free(folder / kept))
        written[-1].write_text(rubric, "utf-8")
    if wanted.wheel:
        written.append(_free(folder / ".github" / wanted.wheel.name))
        written[-1].write_bytes(wanted.wheel.read_bytes())
    return written


def _in_folder(folder: Path) -> dict[str, bytes]:
    """The files of a pack, as they lie in the archive."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    kept = [path for path in paths if "__pycache__" not in path.parts]
    return {f"pack/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in kept}


def _filled(template: str, wanted: Wanted, rubric: str = "") -> str:
    """The template with this version, and the options where there are such."""
    options = f" --rubric {rubric}" if rubric else ""
    options += f" --backend {wanted.backend}" if wanted.backend else ""
    published = packs.distribution(wanted.pack) if wanted.pack else None
    if wanted.pack:
        options += f" --pack {wanted.pack if published else '/autograder/source/pack'}"
    source = f".github/{wanted.wheel.name}" if wanted.wheel else f'"attnpack=={__version__}"'
    torch = wanted.backend is Backend.TORCH
    for word, text in {
        "@VERSION@": __version__,
        "@RUBRIC@": options,
        "@SOURCE@": source,
        "@TORCH@": _TORCH_ON_GRADESCOPE if torch else "",
        "@TORCH_STEP@": _TORCH_ON_GITHUB if torch else "",
        "@PACK@": f'/opt/attnpack/bin/pip install "{published}"\n' if published else "",
        "@PACK_STEP@": f'      - run: pip install "{published}"\n' if published else "",
    }.items():
        template = template.replace(word, text)
    return template


def _free(path: Path) -> Path:
    if path.exists():
        raise BadInputError(f"{path} is there already. Move it away, or name another folder.")
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


RUBRIC_SECRET = "ATTNPACK_RUBRIC"  # noqa: S105 (its name)
_FROM_SECRET = f"""\
          printf '%s' "${RUBRIC_SECRET}" > "$RUNNER_TEMP/rubric.toml"
"""
_CPU = "https://download.pytorch.org/whl/cpu"
"""PyTorch's builds without the libraries of graphics cards, which take gigabytes"""
_TORCH_ON_GRADESCOPE = f'/opt/attnpack/bin/pip install "torch>=2.2,<3" --index-url {_CPU}\n'
_TORCH_ON_GITHUB = f'      - run: pip install "torch>=2.2,<3" --index-url {_CPU}\n'

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
@TORCH@@PACK@chmod 600 /autograder/source/seed-secret.txt
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
      - run: pip install @SOURCE@
@TORCH_STEP@@PACK_STEP@      - id: attnpack
        shell: bash
        env:
          ATTNPACK_RUBRIC: "${{ secrets.ATTNPACK_RUBRIC }}"
        run: |
@SECRET@          mkdir "$RUNNER_TEMP/cohort"
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
