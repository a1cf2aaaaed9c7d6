"""Ready-made attention of torch, looked for in the text: a hint for the teacher, never a verdict.

What a guest says of the calls it saw is advice, for learner code runs beside what watches it and
can go around it: under `DisableTorchFunction`, in a script, in a thread, out of a string. The text
cannot hide from the host. Neither does it show that a line is run: so it is flagged, no more.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from attnpack.submission.syntax import parsed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

_LIBRARIES: Final = {"torch", "xformers", "flash_attn", "keras", "tensorflow", "jax", "flax"}
_READY: Final = re.compile(
    r"_?(?:scaled_dot_product|multi_head|flash|efficient|flex|memory_efficient|native_multi_head)"
    r"\w*attention\w*"
    r"|Multihead\w*Attention|MultiHead\w*Attention|Transformer(?:Encoder|Decoder)?(?:Layer)?"
)
_READY_IN_TEXT: Final = re.compile(rf"(?:^|[.\W])({_READY.pattern})")
_AROUND: Final = {
    "DisableTorchFunction", "DisableTorchFunctionSubclass", "_getframe", "current_frames",
    "setprofile", "settrace", "get_objects", "get_referrers",
}  # fmt: skip
"""attributes of torch._C, sys, gc: nobody writes attention with them"""
_SCRIPTS: Final = {("torch", "jit"), ("torch", "compile"), ("torch", "ops")}
_FROM_TEXT: Final = {
    "exec",
    "eval",
    "compile",
    "getattr",
    "attrgetter",
    "import_module",
    "__import__",
}
_MOST: Final = 6


def hints(sources: Mapping[str, str], place: Callable[[str, int], str]) -> tuple[str, ...]:
    """What a teacher should look at; some where there are many. `place` words a file and line."""
    found: dict[str, None] = {}
    for file, text in sorted(sources.items()):
        tree = parsed(text)
        if tree is not None:
            look = _Look(_names_of_libraries(tree, sources))
            found |= {f"{said} ({place(file, line)})": None for said, line in look.at(tree)}
    kept = list(found)[:_MOST]
    more = len(found) - len(kept)
    return (*kept, *([f"and {more} more such places"] if more else ()))


def _names_of_libraries(tree: ast.Module, sources: Mapping[str, str]) -> dict[str, str]:
    """Name in this file -> what it stands for: `F` -> `torch.nn.functional`."""
    own = {file.removesuffix(".py").split("/")[0] for file in sources}
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                whole = alias.name if alias.asname else alias.name.split(".")[0]
                names[alias.asname or whole] = whole
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and (path := _path(node.value, names)):
            names |= {t.id: path for t in node.targets if isinstance(t, ast.Name)}
    roots = _LIBRARIES - own
    return {name: path for name, path in names.items() if path.split(".")[0] in roots}


def _path(node: ast.expr, names: Mapping[str, str]) -> str:
    """`F.softmax` as `torch.nn.functional.softmax`; "" where it is of no library."""
    attributes: list[str] = []
    while isinstance(node, ast.Attribute):
        attributes.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in names:
        return ""
    return ".".join([names[node.id], *reversed(attributes)])


@dataclass(frozen=True)
class _Look:
    """One file."""

    libraries: Mapping[str, str]
    seen: set[int] = field(default_factory=set)

    def at(self, tree: ast.Module) -> Iterator[tuple[str, int]]:
        """What is to be looked at and its line, each line once."""
        for node in ast.walk(tree):
            if isinstance(node, ast.expr) and (what := self._said(node)):
                if node.lineno not in self.seen:
                    yield what, node.lineno
                self.seen.add(node.lineno)

    def _said(self, node: ast.expr) -> str:
        if isinstance(node, (ast.Attribute, ast.Name)):
            return self._named(node)
        if isinstance(node, ast.Call):
            return _in_text(node)
        return ""

    def _named(self, node: ast.Attribute | ast.Name) -> str:
        path = _path(node, self.libraries)
        *_, last = path.split(".")
        if path and _READY.fullmatch(last):
            return f"may use ready-made attention: {path}"
        if path and tuple(path.split(".")[:2]) in _SCRIPTS:
            return f"unusual: {path}"
        if isinstance(node, ast.Attribute) and node.attr in _AROUND:
            return f"unusual: {node.attr}"
        return ""


def _in_text(node: ast.Call) -> str:
    """Ready-made attention in a string that is run or looked up."""
    function = node.func
    name = getattr(function, "id", getattr(function, "attr", ""))
    if name not in _FROM_TEXT:
        return ""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            found = _READY_IN_TEXT.search(part.value)
            if found:
                return f"may use ready-made attention out of a string: {found[1][:60]}"
    return ""
