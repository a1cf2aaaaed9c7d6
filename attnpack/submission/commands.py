"""What IPython understands and Python does not: magics, shell commands, questions for help."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

_COMMAND = re.compile(
    r"[ \t]*+(?:[%!?]|[\w.*\[\]]++\?{1,2}[ \t]*$|[\w.\[\]][\w.\[\], ]*+=[ \t]*+[%!])"
)
_TOKEN = re.compile(
    r"""#.*|\"{3}|'{3}|"(?:[^"\\]|\\.)*+"?|'(?:[^'\\]|\\.)*+'?|[()\[\]{}]|\\$""", re.DOTALL
)
_CELL_MAGIC = re.compile(r"[ \t]*+%%(\w++)")
_RUN_ELSEWHERE = frozenset({
    *("bash", "cmd", "html", "javascript", "js", "latex", "markdown", "perl", "pypy", "python"),
    *("python2", "python3", "ruby", "script", "sh", "svg", "system", "sx", "timeit"),
    *("writefile", "file"),
})  # fmt: skip
"""cell magics that leave nothing defined; all others (`%%time`) run their cell as it stands"""
_LINE_ENDS = re.compile(r"\r\n|\r|\n")
_ENDS = {quotes: re.compile(rf"(?:[^\\]|\\.)*?{quotes}", re.DOTALL) for quotes in ('"""', "'''")}


def python_lines(source: str) -> list[str]:
    """A cell's lines, those that are not Python blank."""
    lines = lines_of(source)
    above = magics_above(lines)
    code = lines[above:]
    return [""] * above + (code if is_python(code) else _without_commands(code))


def is_python(lines: list[str]) -> bool:
    """Whether they parse."""
    try:
        ast.parse("\n".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def magics_above(lines: list[str]) -> int:
    """How many lines of cell magics a cell begins with; all, where it runs as no code of ours."""
    first = 0
    while first < len(lines) and not lines[first].strip():
        first += 1
    above = first
    while above < len(lines) and (magic := _CELL_MAGIC.match(lines[above])):
        above += 1
        if magic[1] in _RUN_ELSEWHERE:
            return len(lines)
    return above if above > first else 0


def lines_of(source: str) -> list[str]:
    """As Python counts lines: a form feed or U+2028 ends none."""
    lines = _LINE_ENDS.split(source)
    return lines if lines[-1] else lines[:-1]


def _without_commands(lines: list[str]) -> list[str]:
    """The lines of a cell, those that are commands blank.

    Inside a block `pass` stands for a command, so that the block stays one.
    """
    kept: list[str] = []
    within = _Within()
    goes_on = False
    for line in lines:
        if goes_on:
            kept.append("")
            goes_on = line.endswith("\\")
        elif not within.statement and _COMMAND.match(line):
            indent = line[: len(line) - len(line.lstrip())]
            kept.append(f"{indent}pass" if indent else "")
            goes_on = line.endswith("\\")
        else:
            kept.append(line)
            within.read(line)
    return kept


@dataclass
class _Within:
    """Where the next line begins: at a statement, or inside one that goes on."""

    depth: int = 0
    """of brackets that are open"""
    quotes: str = ""
    """of a text over several lines"""
    continued: bool = False

    @property
    def statement(self) -> bool:
        """Whether the next line goes on with a statement."""
        return self.depth > 0 or bool(self.quotes) or self.continued

    def read(self, line: str) -> None:
        """Take in one more line."""
        at = 0
        self.continued = False
        while at < len(line):
            if self.quotes:
                end = _ENDS[self.quotes].match(line, at)
                if end is None:
                    return
                at, self.quotes = end.end(), ""
                continue
            found = _TOKEN.search(line, at)
            if found is None:
                return
            at = found.end()
            self._take(found[0])

    def _take(self, word: str) -> None:
        """A bracket, a quotation mark, a backslash at the end; or a whole text or comment."""
        if word in _ENDS:
            self.quotes = word
        elif word in "([{":
            self.depth += 1
        elif word in ")]}":
            self.depth = max(0, self.depth - 1)
        elif word == "\\":
            self.continued = True
