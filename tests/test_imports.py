"""What importing costs and needs: no POSIX at a module's top, no numpy for a light command."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

import attnpack
from attnpack import pack, workspace
from attnpack.terms import Backend

POSIX_MODULES = ("fcntl", "grp", "pwd", "resource", "syslog", "termios", "tty")
POSIX_SIGNALS = ("SIGKILL", "SIGALRM", "SIGCHLD", "SIGHUP", "SIGXCPU", "SIGPIPE", "pthread_sigmask")
HEAVY = ("numpy", "torch", "matplotlib", "nbformat")

WITHOUT_POSIX = f"""
import importlib, signal, sys
for name in {POSIX_MODULES}:
    sys.modules[name] = None
for name in {POSIX_SIGNALS}:
    if hasattr(signal, name):
        delattr(signal, name)
for name in sys.argv[1:]:
    importlib.import_module(name)
"""
REPORTING = f"""
import sys
from attnpack.cli import main
try:
    main()
except SystemExit as ended:
    assert not ended.code, ended.code
finally:
    print(sorted(set(sys.modules) & set({HEAVY})), file=sys.stderr)
"""
LEARNERS = "attnpack.grade.attacks."
"""hostile submissions: data to the package, never imported"""
EXTRAS = {
    "attnpack.grade.dask": "distributed",
    "attnpack.guest.backends.torch": "torch",
    "attnpack.look.training.train": "torch",
    "attnpack.pytest_plugin": "pytest",
}
LIGHT = (
    ("--help",),
    ("--version",),
    ("check", "--help"),
    (),
    ("list",),
    ("hint",),
    ("hint", "softmax"),
    ("explain",),
    ("explain", "softmax-over-queries"),
    ("solution", "softmax", "--give-up"),
    ("reset", "softmax"),
)


def own_modules() -> list[str]:
    """Every module of the package and of the pack, by its place among the files."""
    package = _modules(Path(attnpack.__file__).parent, "attnpack")
    names = package | _modules(pack.ROOT / "checks", "attnpack.pack.checks")
    names -= {"attnpack.__main__"} | {name for name in names if name.startswith(LEARNERS)}
    return sorted(name for name in names if _importable(name))


def _modules(folder: Path, name: str) -> set[str]:
    paths = [path.relative_to(folder).with_suffix("") for path in folder.rglob("*.py")]
    dotted = (".".join((name, *path.parts)) for path in paths)
    return {module.removesuffix(".__init__") for module in dotted}


def _importable(name: str) -> bool:
    needs = next((extra for module, extra in EXTRAS.items() if name.startswith(module)), None)
    return needs is None or importlib.util.find_spec(needs) is not None


def test_every_module_imports_where_there_is_no_posix() -> None:
    names = own_modules()
    assert "attnpack.pack.checks.judging" in names
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_POSIX, *names], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("words", LIGHT, ids=lambda words: " ".join(words) or "attnpack alone")
def test_a_light_command_imports_nothing_heavy(words: tuple[str, ...], tmp_path: Path) -> None:
    workspace.init(tmp_path / "attention", Backend.NUMPY)
    done = subprocess.run(
        [sys.executable, "-c", REPORTING, *words],
        cwd=tmp_path / "attention",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[-1] == "[]"
