"""References that stand in for exercises the learner has not got right yet.

The name is rebound right after the learner's definition of it: in the file that is asked, and in
any other that holds that exercise. In a folder of a file for each, the module of that exercise is
replaced. A stand-in drops arguments that the reference does not know; where it cannot be called
as the learner calls it, the learner's own stays.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
from functools import partial
from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from attnpack.guest.definitions import blocks, defined
from attnpack.guest.set_aside import SetAside
from attnpack.guest.sources import Sources, file_name, module_name, run

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_HOOK = "__attnpack_stand_in__"


class StandIns:
    """The stand-ins of one task: planted in the learner's modules, with a record of their use."""

    def __init__(
        self,
        references: Mapping[str, str],
        homes: Mapping[str, str],
        sources: Sources,
        folder: bool,
    ) -> None:
        self._references = references
        self._homes = homes
        self._sources = sources
        self._folder = folder
        self._main = ModuleType("submission")
        self._made: dict[str, Any] = {}
        self._own: dict[str, Any] = {}
        self._own_modules: dict[str, ModuleType] = {}
        self.used: set[str] = set()
        self.refused: set[str] = set()
        if references:
            sources.adapt = self._adapted
        if folder:
            for name in references:
                sources.replaced[module_name(name)] = self._filler(name)

    def forget(self) -> None:
        """What the learner's own files gave, before they are executed anew."""
        self._own.clear()
        self._own_modules.clear()

    def prepare(self, main: ModuleType) -> None:
        """Before the entry file runs: a lone file finds stand-ins for what it never defines."""
        self._main = main
        main.__dict__[_HOOK] = self.put
        if not self._folder:
            main.__dict__.update({name: self.put(name) for name in self._references})

    def rewrite(self, tree: ast.Module) -> ast.Module:
        """Rebind each name right after its definitions at the top of the file."""
        _plant(tree, frozenset(self._references))
        return tree

    def _adapted(
        self, file: str, module: ModuleType, tree: ast.Module, but: str = ""
    ) -> ast.Module:
        """A file that is imported: stand-ins for the exercises that it holds, and no others."""
        names = {n for n in self._references if self._homes.get(n) == file and n != but}
        module.__dict__[_HOOK] = self.put
        _plant(tree, frozenset(names))
        return tree

    def put(self, name: str, own: Any = None) -> Any:
        """The stand-in for a name; `own` is the learner's, which it replaces."""
        if isinstance(own, ModuleType):
            return own
        if name not in self._made:
            reference = self._run(name)[name]
            make = self._class if isinstance(reference, type) else self._function
            self._made[name] = make(name, reference)
        if not isinstance(own, SetAside | None) and own is not self._made[name]:
            self._own[name] = own
        return self._made[name]

    def _function(self, name: str, reference: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(reference)

        def stand_in(*arguments: Any, **keywords: Any) -> Any:
            kept = {key: value for key, value in keywords.items() if key in signature.parameters}
            positions = arguments[: len(signature.parameters)]
            if not _binds(signature, positions, kept):
                return self._refuse(name, reference)(*arguments, **keywords)
            self.used.add(name)
            return reference(*positions, **kept)

        stand_in.__name__ = stand_in.__qualname__ = name
        return stand_in

    def _class(self, name: str, reference: type) -> type:
        signature = inspect.signature(reference)
        stand_ins = self

        class Constructing(type(reference)):  # type: ignore[misc]
            def __call__(cls, *arguments: Any, **keywords: Any) -> Any:
                is_subclass = cls is not stand_ins._made[name]
                if not (is_subclass or _binds(signature, arguments, keywords)):
                    return stand_ins._refuse(name, reference)(*arguments, **keywords)
                stand_ins.used.add(name)
                return super().__call__(*arguments, **keywords)

        return Constructing(name, (reference,), {})

    def _refuse(self, name: str, reference: Callable[..., Any]) -> Callable[..., Any]:
        """The learner's own, where there is one; else the reference, to raise its TypeError."""
        if name not in self._own and self._folder:
            self._own[name] = getattr(self._own_module(name), name, None)
        own = self._own.get(name)
        if own is None:
            return reference
        self.refused.add(name)
        return cast("Callable[..., Any]", own)

    def _filler(self, name: str) -> Callable[[ModuleType], None]:
        """Fills the module that replaces a learner's file; its other names are theirs still."""

        def fill(module: ModuleType) -> None:
            def their_own(attribute: str) -> Any:
                if attribute.startswith("__"):
                    raise AttributeError(attribute)
                return getattr(self._own_module(name), attribute)

            module.__dict__[name] = self.put(name)
            module.__dict__["__getattr__"] = their_own

        return fill

    def _own_module(self, name: str) -> ModuleType:
        file = file_name(name)
        if name not in self._own_modules:
            module = ModuleType(module_name(name))
            if file in self._sources.texts:
                adapt = partial(self._adapted, file, module, but=name)
                self._sources.execute(file, module, adapt)
            self._own_modules[name] = module
        return self._own_modules[name]

    def _run(self, name: str) -> dict[str, Any]:
        """Execute a reference; what it imports from its siblings is resolved here."""
        file = f"<reference {name}>"
        namespace: dict[str, Any] = {
            "__name__": module_name(name),
            "__builtins__": {**vars(builtins), "__import__": self._import},
        }
        run(self._references[name], file, namespace)
        return namespace

    def _import(
        self,
        name: str,
        namespace: Mapping[str, object] | None = None,
        names: Mapping[str, object] | None = None,
        fromlist: tuple[str, ...] | None = (),
        level: int = 0,
    ) -> Any:
        if fromlist and any(module_name(wanted) == name for wanted in fromlist):
            return SimpleNamespace(**{wanted: self._sibling(wanted) for wanted in fromlist})
        return builtins.__import__(name, namespace, names, fromlist or (), level)

    def _sibling(self, name: str) -> Any:
        """What a reference takes from an earlier exercise: a stand-in, or the learner's own."""
        if name in self._references:
            return self.put(name)
        if self._folder:
            return getattr(importlib.import_module(module_name(name)), name)

        def learners_own(*arguments: Any, **keywords: Any) -> Any:
            own = getattr(self._main, name, None) or self._at_home(name)
            return own(*arguments, **keywords)

        return learners_own

    def _at_home(self, name: str) -> Any:
        """The learner's own, in a file that the one that is asked need not import it from."""
        module = self._homes.get(name, "").removesuffix(".py").replace("/", ".")
        return getattr(importlib.import_module(module), name)


def _binds(
    signature: inspect.Signature, arguments: tuple[Any, ...], keywords: Mapping[str, Any]
) -> bool:
    try:
        signature.bind(*arguments, **keywords)
    except TypeError:
        return False
    return True


def _plant(tree: ast.Module, names: frozenset[str]) -> None:
    for body in list(blocks(tree.body)):
        for position in range(len(body) - 1, -1, -1):
            statement = body[position]
            body[position + 1 : position + 1] = [
                _rebinding(name, statement) for name in defined(statement) if name in names
            ]


def _rebinding(name: str, after: ast.stmt) -> ast.stmt:
    """`name = __attnpack_stand_in__("name", name)`, on the line where the definition ends."""
    call = ast.Call(
        func=ast.Name(id=_HOOK, ctx=ast.Load()),
        args=[ast.Constant(name), ast.Name(id=name, ctx=ast.Load())],
        keywords=[],
    )
    rebinding = ast.Assign(targets=[ast.Name(id=name, ctx=ast.Store())], value=call)
    for node in ast.walk(rebinding):
        if isinstance(node, (ast.expr, ast.stmt)):
            node.lineno = node.end_lineno = after.end_lineno or after.lineno
            node.col_offset = node.end_col_offset = 0
    return rebinding
