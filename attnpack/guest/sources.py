"""A submission's files, imported from memory as if they lay beside each other on disk."""

from __future__ import annotations

import ast
import importlib.machinery
import linecache
import re
import sys
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any, Self

from attnpack.guest import relative, set_aside

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from importlib.abc import Loader
else:
    Loader = object  # importlib.abc takes as long to import as half of numpy


_RELATIVE = re.compile(r"\bfrom[ \t]+\.")


def module_name(exercise: str) -> str:
    """`SelfAttention` is imported from `self_attention`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", exercise).lower()


def file_name(exercise: str) -> str:
    """The file of an exercise in a folder."""
    return module_name(exercise) + ".py"


def run(source: str | ast.Module, file: str, namespace: dict[str, Any]) -> None:
    """Execute learner code, which is what a guest is for; `file` is what tracebacks name."""
    code = compile(source, file, "exec", dont_inherit=True)
    exec(code, namespace)  # noqa: S102


def _remember(file: str, text: str) -> None:
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)


class Sources(Loader):
    """Finder and loader over file names and texts; first on `sys.meta_path` while entered.

    A module that is already imported (numpy, above all) is never shadowed: Python asks
    finders only for what `sys.modules` lacks.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = dict(texts)
        self.replaced: dict[str, Callable[[ModuleType], None]] = {}
        """modules that are filled by a function instead of from a file"""
        self.prepare: Callable[[ModuleType], None] | None = None
        """gives each module of the files names of its own, before its file runs"""
        self.rewrite: Callable[[str, ast.Module, str], ast.Module] | None = None
        """changes the tree of each file before it runs"""
        self.adapt: Callable[[str, ModuleType, ast.Module], ast.Module] | None = None
        """changes the tree of each file that another one imports"""
        self._imported: list[str] = []

    def __enter__(self) -> Self:
        for file, text in self.texts.items():
            _remember(file, text)
        sys.meta_path.insert(0, self)
        return self

    def __exit__(self, *_: object) -> None:
        sys.meta_path.remove(self)
        self._forget()
        for file in self.texts:
            linecache.cache.pop(file, None)

    def change(self, file: str, text: str) -> None:
        """Give a file another text; all of them are imported anew when next asked for."""
        self.texts[file] = text
        _remember(file, text)
        self._forget()

    def _forget(self) -> None:
        for name in self._imported:
            sys.modules.pop(name, None)
        self._imported.clear()

    def entry(
        self,
        file: str,
        prepare: Callable[[ModuleType], None],
        rewrite: Callable[[ast.Module], ast.Module] | None,
    ) -> ModuleType:
        """Execute the file that holds the exercise. Raises whatever its code raises."""
        name = file.removesuffix(".py")
        if not name.isidentifier() or name in sys.modules or name in sys.stdlib_module_names:
            name = "submission"
        module = ModuleType(name)
        module.__spec__ = importlib.machinery.ModuleSpec(name, self, origin=file)
        self._imported.append(name)
        sys.modules[name] = module
        prepare(module)
        self.execute(file, module, rewrite)
        return module

    def execute(
        self,
        file: str,
        module: ModuleType,
        rewrite: Callable[[ast.Module], ast.Module] | None = None,
    ) -> None:
        """Run a file's text in a module. What one statement at its top raises ends no other."""
        tree = self._parsed(file)
        if self.rewrite:
            tree = self.rewrite(file, tree, self.texts[file])
        if rewrite:
            tree = rewrite(tree)
        module.__file__ = file
        module.__dict__[set_aside.NAME] = set_aside.Hook(module.__dict__)
        if self.prepare is not None:
            self.prepare(module)
        run(set_aside.guarded(tree), file, module.__dict__)

    def _parsed(self, file: str) -> ast.Module:
        text = self.texts[file]
        tree = ast.parse(text, file)
        return relative.absolute(tree, file) if _RELATIVE.search(text) else tree

    # The protocol of importlib: a finder ...

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Spec of one of the files; None leaves the name to the ordinary finders."""
        if fullname in self.replaced:
            return importlib.machinery.ModuleSpec(fullname, self, origin="<reference>")
        stem = fullname.replace(".", "/")
        for file in (f"{stem}.py", f"{stem}/__init__.py"):
            if file in self.texts:
                package = file.endswith("/__init__.py")
                return importlib.machinery.ModuleSpec(
                    fullname, self, origin=file, is_package=package
                )
        return None

    # ... and a loader.

    def create_module(self, _spec: importlib.machinery.ModuleSpec) -> None:
        """The ordinary kind of module."""

    def exec_module(self, module: ModuleType) -> None:
        """Fill a module from its file, or from what replaces it."""
        name = module.__name__
        self._imported.append(name)
        if name in self.replaced:
            self.replaced[name](module)
        elif module.__spec__ and module.__spec__.origin:
            file = module.__spec__.origin
            self.execute(file, module, partial(self.adapt, file, module) if self.adapt else None)
