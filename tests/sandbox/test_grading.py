"""A cohort graded by root and by an ordinary user: the same marks, attacks beside right ones."""

from __future__ import annotations

import csv
import tempfile
from pathlib import Path

from attnpack import pack

WRONG = "import numpy as np\n\n\ndef softmax(scores):\n    return np.exp(scores)\n"
FORGED = "import os\n\n\ndef softmax(scores):\n    os.write(1, b'passed')\n    os._exit(0)\n"


def cohort(folder: Path) -> None:
    for backend in ("numpy", "value"):
        (folder / backend).mkdir(parents=True)
        for exercise in pack.load().exercises:
            text = pack.load().reference_path(backend, exercise.file).read_text("utf-8")
            (folder / backend / exercise.file).write_text(text, "utf-8")
    (folder / "forged.py").write_text(FORGED)
    (folder / "wrong.py").write_text(WRONG)


def test_a_cohort_gets_the_marks_it_earned(user):
    with tempfile.TemporaryDirectory(prefix="attnpack-test-") as place:
        Path(place).chmod(0o777)  # also for who is not the one who made it
        cohort(Path(place, "cohort"))
        options = ("--require-isolation", "contained", "--jobs", "2", "--deadline-s", "1")
        user.run("-m", "attnpack", "grade", f"{place}/cohort", "--out", f"{place}/out", *options)
        with Path(place, "out", "grades.csv").open(encoding="utf-8", newline="") as file:
            rows = {row["submission"]: row for row in csv.DictReader(file)}
    scores = {name: (row["score"], row["status"]) for name, row in rows.items()}
    assert scores == {
        "numpy": ("7", "passed"),
        "value": ("7", "passed"),
        "forged.py": ("0", "error"),
        "wrong.py": ("0", "failed"),
    }
    assert rows["wrong.py"]["bugs"] == "softmax-missing"
