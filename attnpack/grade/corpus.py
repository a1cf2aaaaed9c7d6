"""The attacks that `attnpack selftest --security` runs: submissions that try to cheat or to harm.

Each file in `attacks/` is one attack; its docstring says what it tries. `_contract.txt` stands
below all of them: the seven exercises, every one wrong, so that no attack earns a mark. An
attack prints the word OWNED where it got what it wanted, or leaves a file that is named so.
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

OWNED = "attnpack-owned"
FOLDER = Path(__file__).with_name("attacks")


@dataclass(frozen=True)
class Attack:
    """One hostile submission."""

    file: str
    """its file name as handed in"""
    tries: str
    content: bytes

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
        found.append(Attack(path.name, tries, (text + contract).encode()))
    return found


def _containers() -> list[Attack]:
    """Attacks on what reads archives and notebooks, and on what shows names."""
    return [
        Attack("zip_climbs.zip", "Unpacks to a path above.", _zip(f"../../../tmp/{OWNED}.py")),
        Attack("zip_absolute.zip", "Unpacks to an absolute path.", _zip(f"/etc/{OWNED}.py")),
        Attack("zip_link.zip", "Hides a link to a file of the machine.", _zip_link()),
        Attack("zip_bomb.zip", "Unpacks to a gigabyte.", _zip("softmax.py", b" " * (1 << 30))),
        Attack("zip_count.zip", "Unpacks to 30,000 files.", _zip_of_many(30_000)),
        Attack("zip_broken.zip", "Is no archive.", b"PK\x03\x04" + b"\xff" * 500),
        Attack("zip_names.zip", "Names its files to be shown as something else.", _zip_names()),
        Attack("tar_device.tar", "Unpacks to a device and to links.", _tar_devices()),
        Attack("shell_cells.ipynb", "Runs shell commands from its cells.", _shell_notebook()),
        Attack("deep.ipynb", "Is JSON too deep to be read.", b'{"cells": ' + b"[" * 200_000),
        Attack("wrong_types.ipynb", "Is a notebook of other types.", _odd_notebook()),
    ]


def _zip(name: str, content: bytes = b"def softmax(scores): return scores\n") -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return made.getvalue()


def _zip_of_many(count: int) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for number in range(count):
            archive.writestr(f"file{number}.py", b"")
    return made.getvalue()


def _zip_link() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        link = zipfile.ZipInfo("softmax.py")
        link.create_system = 3
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    return made.getvalue()


def _zip_names() -> bytes:
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


def _tar_devices() -> bytes:
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


def _shell_notebook() -> bytes:
    lines = (
        f"!touch /tmp/attnpack-canary/{OWNED}",
        f"%%bash\ntouch /tmp/{OWNED}",
        f"get_ipython().system('touch /tmp/{OWNED}')",
        f"%run /tmp/{OWNED}.py",
        "def softmax(scores):\n    return scores\n",
    )
    return _notebook([{"cell_type": "code", "source": line} for line in lines])


def _odd_notebook() -> bytes:
    return _notebook([None, 3, {"cell_type": ["code"], "source": {"a": 1}}, {"source": [1, None]}])


def _notebook(cells: list[object]) -> bytes:
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()
