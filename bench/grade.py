"""Grading measured: CPU per submission, throughput, scaling, a killed run, memory, and pytest.

    python -m bench.grade [--cases tests/cases] [--count 1000] [--json FILE]

Each figure comes from `attnpack grade` as a user starts it. CPU is that of all its processes;
what starting costs is taken out by measuring two sizes. Linux only: it reads /proc.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from attnpack import pack
from attnpack.grade.ledger import FILE_NAME, read_ledger
from bench.measured import ended

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

LIMITS = {
    "cpu_ms_right": ("<=", 15.0),
    "cpu_ms_failing": ("<=", 60.0),
    "scaling_1_to_2": (">=", 1.8),
    "memory_growth": ("<=", 1.1),
    "pytest_times_slower": (">=", 15.0),
    "killed_lost": ("<=", 0),
    "killed_repeated": ("<=", 0),
}


@dataclass(frozen=True)
class Cost:
    """What one command cost."""

    wall_s: float
    cpu_s: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=Path, default=Path("tests/cases"))
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="attnpack-bench-") as place:
        figures = measure(Path(place), arguments.cases, arguments.count)
    for name, value in figures.items():
        print(f"{name:24} {value:10.3f}  {_verdict(name, value)}")
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n")


def measure(place: Path, cases: Path, count: int) -> dict[str, float]:
    """Every figure by name."""
    right = [reference()]
    labels = json.loads((cases / "labels.json").read_text())
    mix = [(cases / name).read_text() for name in labels if _is_file(cases, name)]
    failing = wrong(cases)
    small, large = max(count // 20, 10), max(count // 5, 40)
    figures = {
        "cpu_ms_right": 1000 * marginal(place / "right", right, small, large),
        "cpu_ms_failing": 1000 * marginal(place / "failing", failing, small, large),
    }
    one, two = (scaled(place / f"jobs{n}", right + failing, large, n) for n in (1, 2))
    figures["per_second_1"] = large / one
    figures["per_second_2"] = large / two
    figures["scaling_1_to_2"] = one / two
    figures |= pytest_against(place / "pytest", right[0], figures["cpu_ms_right"])
    figures |= memory(place / "memory", right + failing, count)
    figures |= killed(place / "killed", mix, count)
    return figures


def wrong(cases: Path) -> list[str]:
    """The labelled numpy submissions that are not right."""
    labels = json.loads((cases / "labels.json").read_text())
    return [
        (cases / name).read_text()
        for name, label in labels.items()
        if _is_file(cases, name)
        and label["backend"] == "numpy"
        and not label["right"]
        # What never returns costs its deadline, whatever else is done.
        and "timeout" not in label.get("flags", ())
    ]


def reference() -> str:
    """The numpy reference as one file."""
    exercises = pack.load().exercises
    own = {exercise.file.removesuffix(".py") for exercise in exercises}
    lines = [
        line
        for exercise in exercises
        for line in pack.load().reference_path("numpy", exercise.file).read_text().splitlines()
        if not (line.startswith(("from ", "import __")) and line.split()[1] in own | {"__future__"})
    ]
    return "\n".join(lines) + "\n"


def cohort(folder: Path, texts: Sequence[str], count: int) -> Path:
    """So many different submissions made of these texts."""
    folder.mkdir(parents=True)
    for at in range(count):
        (folder / f"s{at:04}.py").write_text(f"{texts[at % len(texts)]}\n# copy {at}\n")
    return folder


def command(folder: Path, out: Path, *options: str) -> list[str]:
    """The command as a user types it."""
    return [sys.executable, "-m", "attnpack", "grade", str(folder), "--out", str(out), *options]


def cost(
    words: Sequence[str], cwd: Path | None = None, environ: Mapping[str, str] | None = None
) -> Cost:
    """Run a command; the wall time, and the CPU time of it and all it waited for.

    Raises RuntimeError unless it ends with 0 or 1.
    """
    start = time.perf_counter()
    with tempfile.TemporaryFile("w+") as said:
        process = subprocess.Popen(
            words, cwd=cwd, env=environ, stdout=subprocess.DEVNULL, stderr=said
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1):
            said.seek(0)
            raise RuntimeError(ended(process.returncode, words, said.read()))
    return Cost(time.perf_counter() - start, usage.ru_utime + usage.ru_stime)


def marginal(place: Path, texts: Sequence[str], small: int, large: int) -> float:
    """CPU seconds of one more submission."""
    costs = []
    for count in (small, large):
        folder = cohort(place / str(count), texts, count)
        costs.append(cost(command(folder, place / f"out{count}", "--jobs", "1")).cpu_s)
    return (costs[1] - costs[0]) / (large - small)


def scaled(place: Path, texts: Sequence[str], count: int, jobs: int) -> float:
    """Wall seconds of a cohort on so many workers."""
    folder = cohort(place / "subs", texts, count)
    return cost(command(folder, place / "out", "--jobs", str(jobs))).wall_s


def pytest_against(place: Path, text: str, cpu_ms: float) -> dict[str, float]:
    """The same work through one pytest per submission."""
    place.mkdir()
    (place / "attention.py").write_text(text)
    (place / "test_attention.py").write_text(TESTS)
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(place)]
    spent = min(cost(words).cpu_s for _ in range(5))
    return {"cpu_ms_pytest": 1000 * spent, "pytest_times_slower": 1000 * spent / cpu_ms}


def memory(place: Path, texts: Sequence[str], count: int) -> dict[str, float]:
    """Resident memory of the judge after a tenth of the cohort, and after all of it."""
    folder, out = cohort(place / "subs", texts, count), place / "out"
    seen: dict[int, int] = {}
    with _quiet(command(folder, out, "--jobs", "1")) as process:
        while process.poll() is None:
            seen[_judged(out)] = max((_resident(pid) for pid in _children(process.pid)), default=0)
            time.sleep(0.2)
    early = next(size for done, size in seen.items() if done >= count // 10 and size)
    late = [size for size in seen.values() if size][-2]
    return {"memory_mb_early": early / 1024, "memory_growth": late / early}


def killed(place: Path, texts: Sequence[str], count: int) -> dict[str, float]:
    """A run killed at half way and resumed: how many were lost, how many judged twice."""
    folder, out = cohort(place / "subs", texts, count), place / "out"
    with _quiet(command(folder, out)) as process:
        while _judged(out) < count // 2 and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    cost(command(folder, out, "--resume"))
    entries = read_ledger(out / FILE_NAME).entries
    times = Counter(tuple(e["key"]) for e in entries if e["kind"] == "judged")
    rows = (out / "grades.csv").read_text().splitlines()[1:]
    return {
        "killed_lost": count - len(times),
        "killed_repeated": sum(times.values()) - len(times),
        "killed_rows": len(rows),
    }


def _quiet(words: Sequence[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _judged(out: Path) -> int:
    path = out / FILE_NAME
    return path.read_bytes().count(b'"kind":"judged"') if path.exists() else 0


def _children(pid: int) -> Iterator[int]:
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        yield from map(int, path.read_text().split())


def _resident(pid: int) -> int:
    """Kilobytes; 0 where the process is gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("VmRSS")), 0)


def _is_file(cases: Path, name: str) -> bool:
    return (cases / name).is_file() and name.endswith(".py")


def _verdict(name: str, value: float) -> str:
    if name not in LIMITS:
        return ""
    sign, limit = LIMITS[name]
    met = value <= limit if sign == "<=" else value >= limit
    return f"{'met' if met else 'MISSED'} ({sign} {limit:g})"


TESTS = textwrap.dedent('''
    """About as much as attnpack asks, as a course would write it for pytest."""
    import numpy as np
    import pytest
    from attention import (MultiHeadAttention, SelfAttention, apply_attention, attention_scores,
                           causal_mask, scaled_dot_product_attention, softmax)

    rng = np.random.default_rng(0)


    def right(x):
        e = np.exp(x - x.max(-1, keepdims=True))
        return e / e.sum(-1, keepdims=True)


    @pytest.mark.parametrize("shape", [(3, 5), (2, 3, 5), (2, 3, 4, 5)])
    def test_softmax(shape):
        x = rng.normal(size=shape)
        np.testing.assert_allclose(softmax(x), right(x))


    @pytest.mark.parametrize("lead", [(), (2,), (2, 3)])
    def test_attention(lead):
        q, k, v = (rng.normal(size=(*lead, t, d)) for t, d in ((3, 4), (5, 4), (5, 7)))
        s = q @ k.swapaxes(-1, -2) / 2
        np.testing.assert_allclose(attention_scores(q, k, 4), s)
        np.testing.assert_allclose(apply_attention(right(s), v), right(s) @ v)
        out, weights = scaled_dot_product_attention(q, k, v)
        np.testing.assert_allclose(weights, right(s))
        np.testing.assert_allclose(out, right(s) @ v)


    @pytest.mark.parametrize("n", [1, 5, 33])
    def test_mask(n):
        assert ((causal_mask(n) < -1e8) == ~np.tri(n, dtype=bool)).all()


    @pytest.mark.parametrize("n", [1, 5, 33])
    def test_classes(n):
        x = rng.normal(size=(2, n, 6))
        for model in (SelfAttention(6), MultiHeadAttention(6, 3)):
            y = model.forward(x)
            assert y.shape == x.shape
            z = x.copy()
            z[:, -1] += 1
            np.testing.assert_allclose(model.forward(z)[:, :-1], y[:, :-1])
''')


if __name__ == "__main__":
    main()
