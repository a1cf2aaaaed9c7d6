"""What importing costs and needs: no POSIX at a module's top, no numpy for a light command."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import attnpack
from attnpack import pack
from attnpack.terms import Backend
from attnpack.workspace import scaffolding

if TYPE_CHECKING:
    from collections.abc import Container

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


def files_of_modules() -> dict[str, Path]:
    """The modules of the package and their files."""
    package = Path(attnpack.__file__).parent
    found = {}
    for file in package.rglob("*.py"):
        parts = file.relative_to(package.parent).with_suffix("").parts
        name = ".".join(parts).removesuffix(".__init__")
        if not name.startswith(LEARNERS):
            found[name] = file
    return found


def imported(name: str, file: Path, known: Container[str]) -> set[str]:
    """The modules that a file takes something from anywhere in it, if only for its types."""
    taken: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            taken |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            package = name if file.name == "__init__.py" else name.rpartition(".")[0]
            source = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            modules = {f"{source}.{alias.name}" for alias in node.names}
            inside = {module for module in modules if module in known}
            taken |= inside if inside == modules else {*inside, source}
    return {module for module in taken if module in known}


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


def test_no_modules_import_each_other_in_a_circle() -> None:
    known = files_of_modules()
    del known["attnpack"]  # the door: `attnpack.check` is loaded when it is asked for
    graph = {name: imported(name, file, known) - {name} for name, file in known.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


def test_a_guest_imports_nothing_of_the_rest() -> None:
    known = files_of_modules()
    guest = {name: file for name, file in known.items() if name.startswith("attnpack.guest")}
    within = {*guest, "attnpack.value"}
    assert guest
    for name, file in guest.items():
        assert imported(name, file, known) <= within, name


@pytest.mark.parametrize("words", LIGHT, ids=lambda words: " ".join(words) or "attnpack alone")
def test_a_light_command_imports_nothing_heavy(words: tuple[str, ...], tmp_path: Path) -> None:
    scaffolding.init(tmp_path / "attention", Backend.NUMPY)
    done = subprocess.run(
        [sys.executable, "-c", REPORTING, *words],
        cwd=tmp_path / "attention",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[-1] == "[]"
