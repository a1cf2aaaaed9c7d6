"""A cohort with a truth table: what is right is known, since it is made here.

Each student has the solutions, some of them made wrong, one kind of trouble, and one of the
packings of the platform that the work comes from.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from attnpack import pack

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

EXERCISES = [exercise.name for exercise in pack.load().chapters[0].exercises]
FILES = {exercise.name: exercise.file for exercise in pack.load().chapters[0].exercises}
FUNCTIONS = [name for name in EXERCISES if name[0].islower()]
UNREADABLE = "unreadable"


@dataclass
class Work:
    """One student's code, before it is packed."""

    number: int
    texts: dict[str, str]
    """exercise -> its text, as a file of its own"""
    truth: dict[str, str]
    """exercise -> the status that it must have"""
    above: str = ""
    below: str = ""
    """what stands around the exercises: in the file, or in cells of their own"""
    beside: dict[str, str] = field(default_factory=dict)
    """other files"""
    encode: Callable[[str], bytes] = str.encode

    @property
    def lone(self) -> str:
        """All of it as one file."""
        own = "\n\n".join(_without_siblings(text) for text in self.texts.values())
        return f"{self.above}{own}\n{self.below}"

    @property
    def folder(self) -> dict[str, str]:
        """One file per exercise; the trouble is in each."""
        texts = {
            FILES[name]: f"{self.above}{text}\n{self.below}" for name, text in self.texts.items()
        }
        return {**texts, **self.beside}

    @property
    def cells(self) -> list[str]:
        """Its cells as a notebook."""
        own = [_without_siblings(text) for text in self.texts.values()]
        return [cell for cell in (self.above, *own, self.below) if cell]


def _without_siblings(text: str) -> str:
    siblings = "|".join(file.removesuffix(".py") for file in FILES.values())
    return re.sub(rf"^from (?:{siblings}) import .*$", "", text, flags=re.MULTILINE)


# What is wrong.

_WRONG = "\n\n_right_{name} = {name}\ndef {name}(*args, **keywords):\n    return {wrong}\n"
_WRONG_CLASS = (
    "\n\nclass {name}({name}):\n    def forward(self, x, *args, **keywords):\n"
    "        return {wrong}\n"
)


def _made_wrong(name: str, text: str, how: str) -> str:
    if how == "not_started":
        return ""
    if name in FUNCTIONS:
        call = f"_right_{name}(*args, **keywords)"
        wrong = f"[2 * each for each in {call}]" if name.startswith("scaled") else f"2.5 * {call}"
        wrong = "[[0.0] * args[0]] * args[0]" if name == "causal_mask" else wrong
        wrong = "1 / 0" if how == "error" else wrong
        return text + _WRONG.format(name=name, wrong=wrong)
    wrong = "1 / 0" if how == "error" else "2.5 * super().forward(x, *args, **keywords)"
    return text + _WRONG_CLASS.format(name=name, wrong=wrong)


def work(number: int) -> Work:
    """The code of one student: about half are right in everything."""
    texts = {
        name: pack.load().reference_path("numpy", FILES[name]).read_text("utf-8")
        for name in EXERCISES
    }
    truth = dict.fromkeys(EXERCISES, "passed")
    if number % 2:
        name = EXERCISES[number // 2 % len(EXERCISES)]
        how = ("failed", "failed", "error", "not_started")[number // 2 % 4]
        texts[name] = _made_wrong(name, texts[name], how)
        truth[name] = how
    texts["softmax"] += f"\n# {number}\n"
    return Work(number, {name: text for name, text in texts.items() if text}, truth)


# Trouble around the exercises, none of which costs anything.

BELOW = {
    "assertion": "assert 1 == 2, 'my own test'\n",
    "exit": "raise SystemExit(1)\n",
    "own exit": "import os\nos._exit(3)\n",
    "endless": "step = 0\nwhile step >= 0:\n    step += 1\n",
    "plot": "import matplotlib.pyplot as plt\nplt.imshow([[1.0]])\nplt.show()\n",
    "shown": "from IPython.display import display\ndisplay(3)\n",
    "question": "name = input('Your name? ')\n",
    "pytest": (
        "import pytest\n\n\n@pytest.mark.parametrize('n', [1])\ndef test_it(n):\n    assert n\n"
    ),
    "tried out": "scores = [[1.0, 2.0]]\nsoftmax = softmax(scores)\n",
    "file": "data = open('data/corpus.txt').read()\n",
    "training": "for epoch in range(10**7):\n    loss = [epoch] * 1000\n",
    "much printed": "print('x' * 5_000_000)\n",
    "checked": "import attnpack\nattnpack.check()\n",
    "main": "if __name__ == '__main__':\n    print(undefined)\n",
    "debugger": "breakpoint()\n",
    "recursion": "def f():\n    return f()\n\n\nf()\n",
}
ABOVE = {
    "pandas": "import pandas as pd\nfrom sklearn.datasets import load_iris\n",
    "colab": "from google.colab import drive\ndrive.mount('/content/drive')\n",
    "arguments": (
        "import argparse\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('--size', required=True)\nargs = parser.parse_args()\n"
    ),
    "ipython": "get_ipython().run_line_magic('matplotlib', 'inline')\n",
    "missing base": "from lightning import Module\nclass Model(Module):\n    pass\n",
    "torch too": "import torch\nx = torch.zeros(3)\n",
    "docstring": "'''My homework.'''\nfrom __future__ import annotations\n",
    "settings": "import numpy as np\nnp.seterr(all='raise')\nnp.set_printoptions(precision=2)\n",
    "warnings": "import warnings\nwarnings.simplefilter('error')\n",
    "folder": "import os, sys\nos.chdir('/content')\nsys.path.append('/content/src')\n",
}


def _constants(made: Work) -> None:
    for name, text in made.texts.items():
        made.texts[name] = f"NOTES = []\nNOTES.append({made.number})\n{text}\n"


def _annotated(made: Work) -> None:
    text = made.texts.get("apply_attention", "")
    head = "from jaxtyping import Float\nimport pandas as pd\n"
    made.texts["apply_attention"] = head + re.sub(
        r"def apply_attention\(weights, V\)",
        "def apply_attention(weights: Float['...'], V: pd.DataFrame | None)",
        text,
    )


def _helpers(made: Work) -> None:
    made.beside["my_steps.py"] = "import numpy as np\n\n\ndef plus_nothing(x):\n    return x + 0\n"
    made.beside["never_used.py"] = "raise SystemExit\n"
    for name in ("softmax", "apply_attention"):
        if name in made.texts:
            made.texts[name] = f"from my_steps import plus_nothing\n{made.texts[name]}"


def _talkative(made: Work) -> None:
    """Prints a megabyte over all that it is asked."""
    if "softmax" in made.texts:
        made.texts["softmax"] += (
            "\n\n_silent = softmax\n\n\ndef softmax(scores):\n"
            "    print('called with', 'x' * 20_000)\n    return _silent(scores)\n"
        )


def _scratch(made: Work) -> None:
    """Keeps files in folders of its own while it computes."""
    if "softmax" in made.texts:
        made.texts["softmax"] += (
            "\n\nimport os\nimport tempfile\n\nPLACE = tempfile.mkdtemp()\n_alone = softmax\n\n\n"
            "def softmax(scores):\n    with open(os.path.join(PLACE, 'log.txt'), 'a') as log:\n"
            "        log.write('called')\n    os.listdir('.')\n    return _alone(scores)\n"
        )


def _drawing(made: Work) -> None:
    """Imports what draws at the top of each file, and uses it in no exercise's result."""
    for name, text in made.texts.items():
        made.texts[name] = f"import matplotlib.pyplot as plt\nplt.style.use('ggplot')\n{text}"


TEXTS: Mapping[str, Callable[[Work], None]] = {
    "talkative": _talkative,
    "scratch": _scratch,
    "drawing": _drawing,
    "constants": _constants,
    "annotated": _annotated,
    "helpers": _helpers,
    "bom": lambda made: setattr(made, "encode", lambda text: text.encode("utf-8-sig")),
    "crlf": lambda made: setattr(made, "encode", lambda t: t.replace("\n", "\r\n").encode()),
    "latin-1": lambda made: setattr(
        made, "encode", lambda text: f"# caf\u00e9\n{text}".encode("latin-1", "replace")
    ),
}
TROUBLES = [*BELOW, *ABOVE, *TEXTS, "none"]


def troubled(number: int, trouble: str) -> Work:
    """A student's code with one kind of trouble."""
    made = work(number)
    made.below, made.above = BELOW.get(trouble, ""), ABOVE.get(trouble, "")
    if trouble in TEXTS:
        TEXTS[trouble](made)
    return made


# Packings.


def notebook(cells: list[str], outputs: int = 0) -> str:
    """A notebook, with so many bytes of outputs."""
    found = [
        {
            "cell_type": "code",
            "source": cell,
            "outputs": [{"png": "A" * outputs}] if outputs else [],
        }
        for cell in cells
    ]
    return json.dumps({"cells": found, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def magic_cells(made: Work) -> list[str]:
    """Cells as they are written in Colab."""
    first, *others = made.cells
    return [
        "import sys\nif 'google.colab' in sys.modules:\n    !pip install numpy \\\n        scipy",
        f"%%time\n{first}",
        *others,
        "%matplotlib inline\nfiles = !ls\nsoftmax?",
        "this cell was given up (",
        "%%bash\nls",
    ]


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip of files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def _encoded(made: Work) -> dict[str, bytes]:
    return {name: made.encode(text) for name, text in made.folder.items()}


def _below(folder: str, files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {f"{folder}/{name}": content for name, content in files.items()}


Given = "dict[str, bytes]"
JUNK = {
    "Icon\r": b"", "__MACOSX/._softmax.py": b"\0", "hw/.DS_Store": b"", "hw/soft\u200bmax.py": b"x",
    "hw: notes.txt": b"", ".venv/lib/site.py": b"x",
}  # fmt: skip


def _zip(made: Work) -> Given:
    return {"hw.zip": zipped({**_below("hw", _encoded(made)), **JUNK})}


def _zip_in_zip(made: Work) -> Given:
    return {"all.zip": zipped({"inner/hw.zip": zipped(_encoded(made)), "readme.txt": b"x"})}


def _in_package(made: Work) -> Given:
    own = {f"src/{name}": made.encode(_packaged(text)) for name, text in made.folder.items()}
    return {"hw.zip": zipped({"main.py": b"from src.softmax import softmax\n", **own})}


def _packaged(text: str) -> str:
    siblings = "|".join(file.removesuffix(".py") for file in FILES.values())
    return re.sub(
        rf"^from ({siblings}|my_steps) import", r"from .\1 import", text, flags=re.MULTILINE
    )


def _modules(made: Work) -> dict[str, list[str]]:
    """The exercises in two lots, functions and what is built of them."""
    lots: dict[str, list[str]] = {"parts": [], "model": []}
    for name, text in made.texts.items():
        lots["parts" if name in FUNCTIONS[:4] else "model"].append(_without_siblings(text))
    return lots


def _two_modules(made: Work) -> Given:
    """Several exercises to a file, and the second takes all of the first."""
    texts = {
        f"{name}.py": made.above
        + ("from parts import *\n" if name == "model" else "")
        + "\n\n".join(lot)
        + f"\n{made.below}"
        for name, lot in _modules(made).items()
    }
    if "from __future__" in texts["model.py"]:  # it must stay first
        texts["model.py"] = texts["model.py"].replace("from parts import *\n", "", 1)
        texts["model.py"] += "\nfrom parts import *\n"
    return {name: made.encode(text) for name, text in (texts | made.beside).items()}


def _beside_stubs(made: Work) -> Given:
    stubs = {file: (pack.load().stub_path("numpy", file)).read_bytes() for file in FILES.values()}
    return {"hw.zip": zipped({**stubs, **_below("my work", _encoded(made))})}


PACKINGS: Mapping[str, Callable[[Work], Given]] = {
    "lone file": lambda made: {"attention.py": made.encode(made.lone)},
    "text ending": lambda made: {"attention.py.txt": made.encode(made.lone)},
    "folder": _encoded,
    "zip": _zip,
    "zip in zip": _zip_in_zip,
    "package": _in_package,
    "beside stubs": _beside_stubs,
    "two modules": _two_modules,
    "notebook": lambda made: {"work.ipynb": notebook(made.cells).encode()},
    "magics": lambda made: {"work.ipynb": notebook(magic_cells(made)).encode()},
    "large notebook": lambda made: {"work.ipynb": notebook(made.cells, 600_000).encode()},
    "case": lambda made: {
        name.title() if name in FILES.values() else name: content
        for name, content in _encoded(made).items()
    },
    "draft beside": lambda made: {
        "attention.py": made.encode(made.lone),
        "draft.ipynb": notebook(["def softmax(scores):\n    return scores"]).encode(),
    },
}
NEEDS_FOLDER = frozenset(
    {"folder", "zip", "zip in zip", "package", "beside stubs", "case", "two modules"}
)
NOTHING: Mapping[str, Given] = {
    "pdf": {"report.pdf": b"%PDF"},
    "rar": {"hw.rar": b"Rar!"},
    "empty": {"attention.py": b""},
    "broken zip": {"hw.zip": b"PK\x03\x04"},
    "word": {"essay.docx": b"PK"},
    "binary": {"attention.py": b"\0\1\2"},
    "not a notebook": {"work.ipynb": b"{"},
    "dot": {"..py": b"x = 1"},
}


@dataclass(frozen=True)
class Student:
    """One student of the cohort and the marks that are right."""

    name: str
    login: str
    number: int
    kind: str
    given: Given
    truth: Mapping[str, str] | None
    """None where there is nothing to grade"""


def students(most: int) -> Iterator[Student]:
    """So many students, every trouble in turn in every packing."""
    numbers = count()
    packings = list(PACKINGS)
    for _ in range(most - len(NOTHING)):
        number = next(numbers)
        trouble = TROUBLES[number % len(TROUBLES)]
        packing = packings[(number + number // len(TROUBLES)) % len(packings)]
        made = troubled(number, trouble)
        if trouble == "helpers" and packing not in NEEDS_FOLDER:
            packing = "folder"
        if trouble in ("latin-1", "bom", "crlf") and "notebook" in packing + "magics":
            packing = "lone file"
        kind = f"{trouble}, {packing}"
        yield _student(number, kind, PACKINGS[packing](made), made.truth)
    for kind, given in NOTHING.items():
        yield _student(next(numbers), kind, given, None)


def _student(number: int, kind: str, given: Given, truth: Mapping[str, str] | None) -> Student:
    letters = "".join(chr(97 + number // 26**at % 26) for at in range(3))
    return Student(f"Student {letters.title()}", f"s{letters}", number, kind, given, truth)


# Platforms.


def canvas(folder: Path, student: Student) -> str:
    """Files side by side, numbered where they were handed in again."""
    upload = 10_000 * student.number
    again = "-1" if student.number % 3 == 0 else ""
    late = "_LATE" if student.number % 5 == 0 else ""
    prefix = f"{_plain(student.name)}{late}_{1000 + student.number}"
    given = student.given
    if len(given) == 1 and next(iter(given)).endswith(".zip") and student.number % 2:
        old = zipped({"softmax.py": b"def softmax(scores):\n    return scores\n"})
        (folder / f"{prefix}_{upload}_hw.zip").write_bytes(old)
        given = {"hw-1.zip": next(iter(given.values()))}
        upload += 1
        again = ""
    names = []
    for name, content in given.items():
        upload += 1
        stem, dot, suffix = name.partition(".")
        names.append(f"{prefix}_{upload}_{stem}{again if stem else ''}{dot}{suffix}")
        (folder / names[-1]).write_bytes(content)
    several = len([p for p in folder.iterdir() if p.name.startswith(f"{prefix}_")]) > 1
    return f"{_plain(student.name)}_{1000 + student.number}" if several else names[0]


def moodle(folder: Path, student: Student) -> str:
    """A folder for each student."""
    name = f"{student.name}_{5000 + student.number}_assignsubmission_file_"
    _lay(folder / name, student.given)
    return name


def gradescope(folder: Path, student: Student) -> str:
    """A folder for each submission, named in a file."""
    name = f"submission_{9000 + student.number}"
    _lay(folder / name, student.given)
    with (folder / "submission_metadata.yml").open("a") as metadata:
        metadata.write(
            f"{name}:\n  :submitters:\n  - :name: {student.name}\n"
            f"    :sid: '{1000 + student.number}'\n    :email: {student.login}@example.edu\n"
            "  :created_at: 2026-03-01 10:00:00 Z\n"
        )
    return name


def blackboard(folder: Path, student: Student) -> str:
    """All attempts of all students side by side."""
    names = []
    for day, given in (("01", {"a.py": b"x = 1\n"}), ("02", student.given)):
        attempt = f"hw_{student.login}_attempt_2026-03-{day}-10-00-00"
        (folder / f"{attempt}.txt").write_text(f"Name: {student.name}")
        for name, content in given.items():
            names.append(f"{attempt}_{name}")
            (folder / names[-1]).write_bytes(content)
    return f"hw_{student.login}"


def classroom(folder: Path, student: Student) -> str:
    """A repository for each student."""
    name = f"attention-{student.login}"
    _lay(folder / name, {**student.given, ".git/config": b"", "README.md": b"#"})
    return name


def plain(folder: Path, student: Student) -> str:
    """What a teacher put together: a file where there is one, else a folder."""
    if len(student.given) == 1 and "..py" not in student.given:
        [(name, content)] = student.given.items()
        suffix = name.partition(".")[2]
        (folder / f"{student.login}.{suffix}").write_bytes(content)
        return f"{student.login}.{suffix}"
    _lay(folder / student.login, student.given)
    return student.login


PLATFORMS: Mapping[str, Callable[[Path, Student], str]] = {
    "canvas": canvas,
    "moodle": moodle,
    "gradescope": gradescope,
    "blackboard": blackboard,
    "classroom": classroom,
    "plain": plain,
}


def _plain(name: str) -> str:
    return name.lower().replace(" ", "")


def _lay(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def roster(made: list[Student]) -> str:
    """A roster that every platform's names are found by."""
    rows = [
        f"{s.name},{1000 + s.number},{1000 + s.number},{s.login},{s.login}@example.edu,"
        f"Participant {5000 + s.number}"
        for s in made
    ]
    return "\n".join(["Student,ID,SIS User ID,SIS Login ID,Email,Identifier", *rows, ""])
