"""The real launcher with confinement: what learners need works, what they must not do fails."""

from __future__ import annotations

import getpass
import importlib.util
import json
import shutil
from pathlib import Path

import pytest
from sampled import one_of

REPOSITORY = Path(__file__).parents[2]

ASK = """
import json, sys
import numpy as np
from attnpack.calls import Call, Task
from attnpack.guest.confine import Policy, Tier
from attnpack.host.pool import open_pool

def ask(pool, backend, source, **more):
    x = np.arange(12.0).reshape(3, 4)
    question = Call("k", "softmax", (x,), **more)
    task = Task("softmax", "softmax.py", {{"softmax.py": source}}, backend, (question,),
                deadline_s=5.0, total_s=20.0)
    said = pool.run(task)
    answer = said.answers["k"]
    raised = said.loaded.raised or answer.raised
    array = answer.arrays[0] if answer.arrays else None
    return {{"fault": said.fault, "outcome": answer.outcome, "output": said.output,
            "raised": raised and raised.type + ": " + raised.message,
            "array": None if array is None else array.tolist()}}

sys.path.append("tests/sandbox")
import lacking
{lack}
backend, sources = {backend!r}, {sources!r}
policy = Policy(memory_bytes={memory}, require=Tier({require!r}))
with open_pool(backend, policy.to_json()) as pool:
    print(json.dumps([ask(pool, backend, source) for source in sources]))
"""

SUM = "def softmax(scores):\n    return scores * 0 + {}\n"


def answers(user, *sources, backend="numpy", memory=1 << 30, require="contained", lack="", path=""):
    """What came of each source, asked for `softmax`, one after another in one warm process."""
    code = ASK.format(backend=backend, sources=sources, memory=memory, require=require, lack=lack)
    return user.python(f"import sys\nsys.path.insert(0, {path!r})\n" + code)


def ask(user, *sources, **more):
    """The same, where the machine has no fault."""
    said = answers(user, *sources, **more)
    assert [one["fault"] for one in said] == [None] * len(said)
    return said


def returned(source):
    return f"def softmax(scores):\n    result = ({source})\n    return scores * 0 + result\n"


def test_numpy_works(user):
    source = """
import numpy as np
def softmax(scores):
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights = weights / weights.sum(-1, keepdims=True)
    rng = np.random.default_rng()
    return np.einsum("ij->ij", weights) + 0 * np.linalg.svd(rng.normal(size=(3, 3)))[1].sum()
"""
    (said,) = ask(user, source)
    assert said["outcome"] == "returned"
    assert sum(said["array"][0]) == pytest.approx(1)


def test_the_standard_library_can_still_be_imported(user):
    source = """
import bisect, decimal, fractions, functools, hashlib, heapq, itertools, random, statistics
import logging, pathlib, secrets, tempfile, threading, typing, unittest, uuid, zoneinfo
import numpy.polynomial
def softmax(scores):
    random.seed(1)
    return scores + len(hashlib.sha256(b"").digest()) - 32
"""
    (said,) = ask(user, source)
    assert said["raised"] is None
    assert said["array"][0] == [0, 1, 2, 3]


def test_threads_work(user):
    source = """
import threading, concurrent.futures
import numpy as np
def softmax(scores):
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        return np.stack(list(pool.map(np.sum, scores)))
"""
    (said,) = ask(user, source)
    assert said["array"] == [6, 22, 38]


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed")
def test_torch_works_with_threads_and_gradients(user):
    source = """
import torch
def softmax(scores):
    torch.set_num_threads(3)
    large = torch.ones(400, 400, requires_grad=True)
    (large @ large).softmax(-1).sum().backward()
    layer = torch.nn.Linear(4, 4).double()
    assert layer(scores).shape == (3, 4) and large.grad is not None
    return torch.softmax(scores, -1)
"""
    (said,) = ask(user, source, backend="torch")
    assert said["raised"] is None
    assert said["output"] == ""
    assert sum(said["array"][0]) == pytest.approx(1)


def test_one_guest_leaves_nothing_to_the_next(user):
    poison = """
import builtins, sys
import numpy as np
np.exp = np.sum = builtins.sum = lambda *a, **k: 99.0
sys.modules["mailbox_of_mine"] = sys
""" + SUM.format(1)
    heir = """
import sys
import numpy as np
def softmax(scores):
    return scores * 0 + np.exp(0.0) + ("mailbox_of_mine" in sys.modules)
"""
    first, second = ask(user, poison, heir)
    assert first["outcome"] == "returned"
    assert second["array"][0][0] == 1.0


EVERYDAY = """
import importlib.metadata, os, tempfile
import matplotlib.pyplot as plt
import numpy as np

def softmax(scores):
    assert "data.csv" not in os.listdir(".")
    assert importlib.metadata.version("numpy") == np.__version__
    folder = tempfile.mkdtemp()
    np.save(folder + "/scores.npy", scores)
    with open("notes.txt", "w") as notes:
        notes.write("kept")
    os.makedirs("a/b")
    os.rename("notes.txt", "a/b/notes.txt")
    plt.plot(scores)
    plt.savefig("scores.png")
    plt.show()
    with open(os.path.expanduser("~/a/b/notes.txt")) as notes, tempfile.TemporaryFile() as other:
        assert notes.read() == "kept"
        other.write(b"x")
    return np.load(folder + "/scores.npy")
"""
WAYS = ("", "lacking.without('namespaces')", "lacking.without('Landlock')")


@pytest.mark.parametrize("lack", one_of(WAYS))
def test_a_guest_has_a_folder_of_its_own_to_write_to(user, lack):
    weak = "Landlock" in lack and not user.may_enter_namespaces
    said = ask(user, EVERYDAY, EVERYDAY, lack=lack, require="process" if weak else "contained")
    assert [(one["raised"], one["outcome"]) for one in said] == [(None, "returned")] * 2


FILLING = """
import os
def softmax(scores):
    open(f"{os.getpid()}.bin", "wb").write(bytes(33 << 20))
    return scores
"""
CROWDING = """
import os
def softmax(scores):
    for number in range(100_000):
        open(str(number), "w").close()
    return scores
"""
BURROWING = """
import os
def softmax(scores):
    for number in range(900):
        os.mkdir("a", 0)
        os.chdir("a")
    return scores
"""


@pytest.mark.parametrize("lack", WAYS)
@pytest.mark.parametrize("source", [FILLING, CROWDING])
def test_what_a_guest_writes_is_bounded(user, lack, source):
    if "Landlock" in lack and not user.may_enter_namespaces:
        pytest.skip("nothing contains a guest here")
    greedy, heir = ask(user, source, SUM.format(1), lack=lack)
    assert greedy["outcome"] in ("raised", "ended")
    assert heir["outcome"] == "returned"


def test_no_folder_outlives_its_guest(user, tmp_path):
    tmp_path.chmod(0o777)
    for folder in tmp_path.parents:
        if folder.owner() == getpass.getuser() and folder != Path("/tmp"):
            folder.chmod(0o755)
    lack = f"lacking.without('namespaces'); import os; os.environ['TMPDIR'] = {str(tmp_path)!r}"
    ask(user, EVERYDAY, BURROWING, lack=lack)
    assert list(tmp_path.iterdir()) == []


def test_no_guest_reaches_the_folder_of_another(user):
    """Not even where they lie side by side on the machine's disk, of one user."""
    lurking = """
import os
def softmax(scores):
    beside = os.path.dirname(os.getcwd())
    for act in (
        lambda: os.listdir(beside),
        lambda: os.mkdir(beside + "/2"),
        lambda: open(beside + "/found", "w"),
    ):
        try:
            act()
            print("reached")
        except OSError:
            pass
    return scores
"""
    (said,) = ask(user, lurking, lack="lacking.without('namespaces')")
    assert (said["outcome"], said["output"]) == ("returned", "")


FORBIDDEN = [
    "open('/etc/passwd').read()",
    "open('/tmp/attnpack-owned', 'w')",
    "open(__import__('numpy').__file__, 'r+')",
    "__import__('os').open(__import__('numpy').__file__, 512)",
    "__import__('os').unlink(__import__('numpy').__file__)",
    "__import__('os').chmod(__import__('numpy').__file__, 0o777)",
    "__import__('os').utime(__import__('numpy').__file__)",
    "__import__('os').symlink('/etc/passwd', 'link')",
    "__import__('os').mkfifo('pipe')",
    "__import__('socket').socket()",
    "__import__('os').fork()",
    "__import__('os').kill(__import__('os').getppid(), 9)",
    "__import__('os').kill(-1, 0)",
    "__import__('subprocess').run(['true'])",
    "__import__('os').listdir('/proc')",
    "__import__('os').listdir('/tmp')",
    "__import__('os').pipe()",
    "__import__('os').memfd_create('x')",
    "__import__('resource').setrlimit(0, (-1, -1))",
    "__import__('os').setpriority(0, 0, -5)",
    "__import__('os').sched_setaffinity(0, {0})",
    "__import__('multiprocessing.shared_memory').shared_memory.SharedMemory('x', True, 9)",
]
DENIALS = ("PermissionError", "FileNotFoundError", "OSError", "ValueError: not allowed")


def test_what_is_forbidden_is_denied(user):
    said = ask(user, *map(returned, FORBIDDEN))
    assert [one["outcome"] for one in said] == ["raised"] * len(FORBIDDEN)
    raised = dict(zip(FORBIDDEN, (one["raised"] for one in said), strict=True))
    assert {what: error for what, error in raised.items() if not error.startswith(DENIALS)} == {}


def test_the_solutions_cannot_be_imported(user):
    names = (
        "attnpack.pack",
        "attnpack.pack.checks",
        "attnpack.host",
        "attnpack.checking.runner",
        "checks",
    )
    source = f"""
import importlib
def softmax(scores):
    found = []
    for name in {names!r}:
        try:
            importlib.import_module(name)
            found.append(name)
        except ImportError:
            pass
    print(found)
    return scores
"""
    (said,) = ask(user, source)
    assert said["output"].strip() == "[]"


def test_memory_is_capped(user):
    source = "def softmax(scores):\n    return scores + len(bytearray(1 << 30))\n"
    (said,) = ask(user, source, memory=256 << 20)
    assert said["raised"].startswith("MemoryError")


def test_memory_within_the_cap_is_given(user):
    source = "def softmax(scores):\n    return scores * len(bytearray(1 << 27)) * 0\n"
    (said,) = ask(user, source, memory=256 << 20)
    assert said["outcome"] == "returned"


def test_nothing_is_open_but_the_four_descriptors(user):
    source = """
import os
def softmax(scores):
    found = []
    for number in range(4096):
        try:
            os.fstat(number)
            found.append(number)
        except OSError:
            pass
    print(found)
    return scores
"""
    (said,) = ask(user, source)
    assert json.loads(said["output"]) == [0, 1, 2, 3]


def test_abort_ends_the_guest_only(user):
    first, second = ask(user, returned("__import__('os').abort()"), SUM.format(1))
    assert first["outcome"] == "ended"
    assert second["outcome"] == "returned"


def test_a_tier_that_is_not_reached_is_a_fault_and_runs_no_learner_code(user):
    lack = "lacking.without('namespaces')"
    (said,) = answers(user, "print('ran')\n" + SUM.format(1), lack=lack, require="full")
    assert "isolation full is required" in said["fault"]
    assert said["output"] == ""


def test_without_namespaces_numpy_and_the_standard_library_still_work(user):
    source = """
import decimal, hashlib, random, statistics
import numpy.polynomial
def softmax(scores):
    return scores + numpy.exp(0.0) - 1
"""
    lack = "lacking.without('namespaces')"
    working, cheating = answers(user, source, returned("open('/etc/passwd')"), lack=lack)
    assert working["array"][0] == [0, 1, 2, 3]
    assert cheating["raised"].startswith("PermissionError")


def test_an_installed_attnpack_is_hidden_and_its_neighbours_are_not(user, tmp_path):
    """As in a wheel: the solutions lie beside the packages that learners may import."""
    site = tmp_path / "site-packages"
    for folder in (tmp_path, *tmp_path.parents):
        if folder.owner() == getpass.getuser() and folder != Path("/tmp"):
            folder.chmod(0o755)
    shutil.copytree(REPOSITORY / "attnpack", site / "attnpack")
    for folder in ("checks", "reference", "exercises"):
        shutil.copytree(REPOSITORY / folder, site / "attnpack" / "pack" / folder)
    (site / "neighbour.py").write_text("KNOWN = 7\n")
    source = f"""
import os
import neighbour
def softmax(scores):
    try:
        print(os.listdir({str(site / "attnpack")!r}))
    except OSError:
        pass
    try:
        print(open({str(site / "attnpack/pack/reference/numpy/softmax.py")!r}).read())
    except OSError:
        print("hidden")
    return scores * 0 + neighbour.KNOWN
"""
    (said,) = answers(user, source, path=str(site))
    assert said["raised"] is None
    assert said["array"][0][0] == 7
    assert said["output"].strip().splitlines()[-1] == "hidden"
    assert "softmax" not in said["output"]
