"""Builds attnpack, installs it, and runs what was installed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PACK_PARTS = ("exercises", "reference", "checks", "SHAPES.md")
SOURCES = (
    *PACK_PARTS,
    *("attnpack", "tests", "bench", "docs"),
    *("pyproject.toml", "hatch_build.py", "README.md", "CHANGELOG.md", "LICENSE", ".gitignore"),
)
CACHES = ("__pycache__", ".*_cache")


@dataclass(frozen=True)
class Environment:
    """A virtual environment."""

    folder: Path

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self._scripts / ("python.exe" if os.name == "nt" else "python")

    @property
    def _scripts(self) -> Path:
        return self.folder / ("Scripts" if os.name == "nt" else "bin")

    def pip_install(self, *words: str) -> None:
        """Install with this test run's own pip."""
        run(sys.executable, "-m", "pip", "--python", str(self.python), "install", "-q", *words)

    def attnpack(self, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        """Run the installed command."""
        return subprocess.run(
            [str(self._scripts / "attnpack"), *words],
            cwd=cwd,
            capture_output=True,
            encoding="utf-8",
            env=surroundings(),
            check=False,
            timeout=120,
        )


def surroundings() -> dict[str, str]:
    """This run's environment, without what would let another attnpack in."""
    return {**os.environ, "PYTHONIOENCODING": "utf-8", "PYTHONPATH": "", "COLUMNS": "80"}


def run(*command: str, cwd: Path | None = None) -> str:
    """What a command prints. Raises AssertionError where it fails, with all it said."""
    done = subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, env=surroundings(), check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def copied_checkout(source: Path, to: Path) -> Path:
    """A copy of the sources, as a clone has them."""
    to.mkdir(parents=True)
    for name in SOURCES:
        if (source / name).is_dir():
            shutil.copytree(source / name, to / name, ignore=shutil.ignore_patterns(*CACHES))
        else:
            shutil.copyfile(source / name, to / name)
    return to


def build(kind: str, source: Path, out: Path) -> Path:
    """The file of one kind, "wheel" or "sdist", that the sources build into."""
    run(sys.executable, "-m", "build", "--no-isolation", f"--{kind}", "-o", str(out), str(source))
    (made,) = out.iterdir()
    return made


def empty_environment(folder: Path) -> Environment:
    """An environment that holds an interpreter and nothing else."""
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    return Environment(folder)


def with_dependencies(environment: Environment) -> Environment:
    """The same environment with what this test run has installed on its path, after its own.

    A line in a .pth file adds one folder and does not read the .pth files in it, so an
    editable attnpack of this run stays out.
    """
    places = run(str(environment.python), "-c", "import site; print(site.getsitepackages()[-1])")
    lines = dict.fromkeys(sysconfig.get_paths()[kind] for kind in ("purelib", "platlib"))
    (Path(places.strip()) / "dependencies.pth").write_text("\n".join(lines), encoding="utf-8")
    return environment


def right_folder(folder: Path) -> Path:
    """A learner's folder with every numpy exercise solved."""
    shutil.copytree(ROOT / "reference" / "numpy", folder, ignore=shutil.ignore_patterns(*CACHES))
    return folder
