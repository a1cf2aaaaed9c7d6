"""Unseen submissions: one faulty exercise each, completed by right ones.

A fragment holds the faulty exercise alone. Its first lines say which exercise it is and which
ids are right for it (`# bugs:` one of them, `# pair:` both, where `a | b` are two names of the
same numbers); a line that ends in `# <-` is an acceptable line of the bug. What was seen in public
code has a third line (`# source:`), and what only looks wrong says `# right:` in place of the ids.
"""

from __future__ import annotations

import ast
import zlib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
WILD = HERE.parent / "wild"
MARK = "  # <-"
PRELUDE = {
    "numpy": "import math\n\nimport numpy as np\n",
    "torch": "import math\n\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n",
    "value": "import math\nimport random\n\nfrom attnpack.value import Value\n",
}
ORDER = (
    "softmax",
    "attention_scores",
    "causal_mask",
    "apply_attention",
    "scaled_dot_product_attention",
    "SelfAttention",
    "MultiHeadAttention",
)
ENDING_OR_HANGING = ("never-returns", "ends-process")
"""what cannot be run in the process of the tests"""


@dataclass(frozen=True)
class Unseen:
    """One submission with what is to be said of it."""

    name: str
    backend: str
    exercise: str
    ids: tuple[str, ...]
    """any of them may be said first"""
    together: tuple[tuple[str, ...], ...]
    """where there are two bugs: the names of each"""
    source: str
    lines: tuple[int, ...]

    @property
    def faulty(self) -> bool:
        """Whether there is a bug in it."""
        return bool(self.ids)

    @property
    def pair(self) -> bool:
        """Whether it holds two bugs."""
        return bool(self.together)

    @property
    def harmless(self) -> bool:
        """Safe to run in this process."""
        return not any(each in ENDING_OR_HANGING for each in self.ids)


class Kind(StrEnum):
    """What a folder of fragments holds."""

    CASES = "cases"
    """bugs in styles that the models were not written against"""
    MISTAKES = "mistakes"
    """what learners write: the commonest slips"""
    WILD = "wild"
    """bugs that were reported in public code; beside them what was reported and is right"""


def unseen(backend: str | None = None, kind: Kind = Kind.CASES) -> list[Unseen]:
    """Every fragment, completed."""
    folders = [backend] if backend else list(PRELUDE)
    roots = [WILD / "cases", WILD / "right"] if kind is Kind.WILD else [HERE / kind]
    return [_complete(p) for r in roots for f in folders for p in sorted((r / f).glob("*.py"))]


def _complete(path: Path) -> Unseen:
    first, second, body = path.read_text(encoding="utf-8").split("\n", 2)
    if body.startswith("# source: "):
        body = body.split("\n", 1)[1]
    backend = path.parent.name
    exercise = first.removeprefix("# exercise: ").strip()
    kind, names = second.removeprefix("# ").split(": ", 1)
    styles = sorted((HERE / "right").glob(f"{backend}_*.py"))
    style = styles[zlib.crc32(path.stem.encode()) % len(styles)]
    parts = [PRELUDE[backend]]
    for name, right in _definitions(style).items():
        parts.append(body.strip("\n") if name == exercise else right)
    source = "\n\n\n".join(parts) + "\n"
    lines = source.splitlines()
    marked = tuple(n for n, line in enumerate(lines, start=1) if line.endswith(MARK))
    found = "" if kind == "right" else names
    bugs = [tuple(each.strip() for each in bug.split("|")) for bug in found.split(",") if bug]
    return Unseen(
        name=path.stem,
        backend=backend,
        exercise=exercise,
        ids=tuple(name for bug in bugs for name in bug),
        together=tuple(bugs) if kind == "pair" else (),
        source="\n".join(line.removesuffix(MARK) for line in lines) + "\n",
        lines=marked,
    )


@cache
def _definitions(path: Path) -> dict[str, str]:
    """The source of each of the seven, in order."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    found = {
        node.name: ast.get_source_segment(text, node) or ""
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }
    return {name: found[name] for name in ORDER}
