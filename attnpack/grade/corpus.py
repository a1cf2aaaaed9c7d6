"""The attacks that `attnpack selftest --security` runs: submissions that try to cheat or to harm.

Each file in `attacks/` is one attack; its docstring says what it tries. `_contract.txt` stands
below all of them: all exercises, every one wrong, so that no attack earns a mark. An
attack prints `attnpack-owned` where it got what it wanted, or leaves a file that is named so.
That word, the canary's folder and the port of its door are each run's own: they are put in
where an attack is handed in.
"""

from __future__ import annotations

import ast
import io
import json
import stat
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = Path(__file__).with_name("attacks")


@dataclass(frozen=True)
class Targets:
    """What the attacks of a run aim at. As it stands: what their files are written with."""

    canary: str = "/tmp/attnpack-canary"  # noqa: S108 - a text to be replaced, never opened
    owned: str = "attnpack-owned"
    """printed by an attack that got what it wanted, and the name of a file that it left"""
    port: int = 47613

    def put_into(self, text: str) -> str:
        """A text that was written with the targets as they stand, aimed at these."""
        written = Targets()
        text = text.replace(written.canary, self.canary).replace(written.owned, self.owned)
        return text.replace(str(written.port), str(self.port))


@dataclass(frozen=True)
class Attack:
    """One hostile submission."""

    file: str
    """its file name as handed in"""
    tries: str
    content: Callable[[Targets], bytes]
    """made where it is asked for: some are large"""

    @property
    def name(self) -> str:
        """The file name without its suffix."""
        return self.file.partition(".")[0]


def corpus() -> tuple[Attack, ...]:
    """Every attack, by name."""
    return tuple(sorted((*_programs(), *_containers()), key=lambda attack: attack.file))


def _programs() -> list[Attack]:
    contract = (FOLDER / "_contract.txt").read_text("utf-8")
    found = []
    for path in sorted(FOLDER.glob("*.py")):
        text = path.read_text("utf-8")
        tries = ast.get_docstring(ast.parse(text)) or ""
        found.append(Attack(path.name, tries, _program(text + contract)))
    return found


def _program(text: str) -> Callable[[Targets], bytes]:
    return lambda targets: targets.put_into(text).encode()


def _containers() -> list[Attack]:
    """Attacks on what reads archives and notebooks, and on what shows names."""
    return [
        Attack("zip_climbs.zip", "Unpacks to a path above.", _zip_climbing),
        Attack("zip_absolute.zip", "Unpacks to an absolute path.", _zip_absolute),
        Attack("zip_link.zip", "Hides a link to a file of the machine.", _zip_link),
        Attack("zip_bomb.zip", "Unpacks to a gigabyte.", _zip_bomb),
        Attack("zip_count.zip", "Unpacks to 30,000 files.", _zip_of_many),
        Attack("zip_broken.zip", "Is no archive.", lambda _: b"PK\x03\x04" + b"\xff" * 500),
        Attack("zip_names.zip", "Names its files to be shown as something else.", _zip_names),
        Attack("tar_device.tar", "Unpacks to a device and to links.", _tar_devices),
        Attack("shell_cells.ipynb", "Runs shell commands from its cells.", _shell_notebook),
        Attack("deep.ipynb", "Is JSON too deep.", lambda _: b'{"cells": ' + b"[" * 200_000),
        Attack("wrong_types.ipynb", "Is a notebook of other types.", _odd_notebook),
    ]


def _zip_climbing(targets: Targets) -> bytes:
    return _zip(f"../../../tmp/{targets.owned}.py")


def _zip_absolute(targets: Targets) -> bytes:
    return _zip(f"/etc/{targets.owned}.py")


def _zip(name: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, b"def softmax(scores): return scores\n")
    return made.getvalue()


def _zip_bomb(_: Targets) -> bytes:
    made = io.BytesIO()
    with (
        zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("softmax.py", "w") as member,
    ):
        for _megabyte in range(1 << 10):
            member.write(b" " * (1 << 20))
    return made.getvalue()


def _zip_of_many(_: Targets) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for number in range(30_000):
            archive.writestr(f"file{number}.py", b"")
    return made.getvalue()


def _zip_link(_: Targets) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        link = zipfile.ZipInfo("softmax.py")
        link.create_system = 3
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    return made.getvalue()


def _zip_names(_: Targets) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name in (
            "::error::owned.py",
            "=HYPERLINK(1).py",
            "<script>alert(1)<\u2044script>.py",
            "\u202eyp.evil.py",
            "\x1b]0;owned\x07.py",
            "new\nline.py",
            "CON.py",
            "-rf.py",
        ):
            archive.writestr(name, b"raise ValueError(__file__)\n")
    return made.getvalue()


def _tar_devices(_: Targets) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        for name, kind, target in (
            ("softmax.py", tarfile.SYMTYPE, "/etc/passwd"),
            ("causal_mask.py", tarfile.LNKTYPE, "../../etc/passwd"),
            ("apply_attention.py", tarfile.CHRTYPE, ""),
            ("attention_scores.py", tarfile.FIFOTYPE, ""),
        ):
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, target
            archive.addfile(member)
    return made.getvalue()


def _shell_notebook(targets: Targets) -> bytes:
    lines = (
        f"!touch {targets.canary}/{targets.owned}",
        f"%%bash\ntouch /tmp/{targets.owned}",
        f"get_ipython().system('touch /tmp/{targets.owned}')",
        f"%run /tmp/{targets.owned}.py",
        "def softmax(scores):\n    return scores\n",
    )
    return _notebook([{"cell_type": "code", "source": line} for line in lines])


def _odd_notebook(_: Targets) -> bytes:
    return _notebook([None, 3, {"cell_type": ["code"], "source": {"a": 1}}, {"source": [1, None]}])


def _notebook(cells: list[object]) -> bytes:
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()
