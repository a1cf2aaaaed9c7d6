"""One exercise that failed costs no other its mark, whatever file each of them lies in."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from attnpack import pack
from attnpack.grade.jobs import Job, Settings
from attnpack.grade.judge import open_judge
from attnpack.grade.judging import judge_job
from attnpack.terms import Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from attnpack.grade.judging import Judge

EXERCISES = pack.load().chapters[0].exercises
SIBLINGS = "|".join(exercise.file.removesuffix(".py") for exercise in EXERCISES)
CODE = {
    exercise.name: re.sub(
        rf"^from (?:{SIBLINGS}) import .*$",
        "",
        pack.load().reference_path("numpy", exercise.file).read_text("utf-8"),
        flags=re.MULTILINE,
    )
    for exercise in EXERCISES
}
PARTS = ("softmax", "attention_scores", "causal_mask", "apply_attention")
ATTEND = CODE["scaled_dot_product_attention"]
LAYERS = CODE["SelfAttention"] + CODE["MultiHeadAttention"]
NAMES = ", ".join(PARTS)
CALLS = re.compile(rf"\b({'|'.join(PARTS)})\(")


def wrong(name: str) -> str:
    """The right code, and a definition after it that is not."""
    call = f"_right_{name}(*arguments, **keywords)"
    result = f"[2 * each for each in {call}]" if name.startswith("scaled") else f"2.5 * {call}"
    head = f"def {name}(*arguments, **keywords):"
    return f"{CODE[name]}\n_right_{name} = {name}\n\n\n{head}\n    return {result}\n"


def parts(failing: str) -> str:
    return "\n".join(wrong(name) if name == failing else CODE[name] for name in PARTS)


WAYS = {
    "names": f"from parts import {NAMES}\n{ATTEND}{LAYERS}",
    "star": f"from parts import *\n{ATTEND}{LAYERS}",
    "module": "import parts\n" + CALLS.sub(r"parts.\1(", ATTEND + LAYERS),
    "alias": f"from parts import {', '.join(f'{n} as my_{n}' for n in PARTS)}\n"
    + CALLS.sub(r"my_\1(", ATTEND + LAYERS),
}


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    opened = open_judge(Settings(""))
    yield opened
    opened.close()


def failed(judge: Judge, **files: str) -> list[str]:
    """The exercises of a submission that did not pass."""
    contents = {f"{name.replace('__', '/')}.py": text.encode() for name, text in files.items()}
    report = judge_job(judge, Job("s", contents, "numpy", 1, 2, 3)).report
    assert report is not None
    return [e.name for e in report.exercises if e.status is not Status.PASSED]


@pytest.mark.parametrize("name", ["softmax", "attention_scores", "apply_attention"])
@pytest.mark.parametrize("way", WAYS)
def test_a_stand_in_takes_the_place_of_the_one_that_failed(
    judge: Judge, name: str, way: str
) -> None:
    assert failed(judge, parts=parts(name), model=WAYS[way]) == [name]


def test_a_package_and_a_file_named_like_an_exercise_are_no_other(judge: Judge) -> None:
    inside = WAYS["star"].replace("from parts", "from .parts")
    assert failed(judge, hw__parts=parts("softmax"), hw__model=inside) == ["softmax"]
    named = WAYS["star"].replace("from parts", "from softmax")
    assert failed(judge, softmax=parts("softmax"), model=named) == ["softmax"]


def test_a_file_in_between_is_replaced_in_too(judge: Judge) -> None:
    layers = (
        f"from middle import scaled_dot_product_attention\nfrom parts import causal_mask\n{LAYERS}"
    )
    middle = f"from parts import *\n{ATTEND}"
    assert failed(judge, parts=parts("softmax"), middle=middle, model=layers) == ["softmax"]


def test_what_a_reference_takes_from_others_need_not_be_imported_where_it_stands(
    judge: Judge,
) -> None:
    layers = (
        f"from middle import scaled_dot_product_attention\nfrom parts import causal_mask\n{LAYERS}"
    )
    middle = "from parts import *\n" + wrong("scaled_dot_product_attention")
    found = failed(judge, parts=parts(""), middle=middle, model=layers)
    assert found == ["scaled_dot_product_attention"]


def test_another_function_of_the_same_name_stays(judge: Judge) -> None:
    tools = (
        "import numpy as np\n\n\ndef softmax(x, axis):\n"
        "    e = np.exp(x - x.max(axis=axis, keepdims=True))\n"
        "    return e / e.sum(axis=axis, keepdims=True)\n"
    )
    flipped = ATTEND.replace(
        "softmax(scores)", "tools.softmax(scores.swapaxes(-1, -2), -2).swapaxes(-1, -2)"
    )
    assert "tools.softmax" in flipped
    whole = f"import tools\n{parts('softmax')}{flipped}{LAYERS}"
    assert failed(judge, tools=tools, attention=whole) == ["softmax"]


def test_stubs_beside_ones_own_work_replace_nothing_of_it(judge: Judge) -> None:
    stubs = {
        exercise.file: pack.load().stub_path("numpy", exercise.file).read_bytes()
        for exercise in EXERCISES
    }
    for missing in ("scaled_dot_product_attention", "SelfAttention", "MultiHeadAttention"):
        own = {
            f"my work/{e.file}": pack.load().reference_path("numpy", e.file).read_bytes()
            for e in EXERCISES
            if e.name != missing
        }
        report = judge_job(judge, Job("s", {**stubs, **own}, "numpy", 1, 2, 3)).report
        assert report is not None
        status = {e.name: e.status for e in report.exercises}
        assert status.pop(missing) is Status.NOT_STARTED
        assert set(status.values()) == {Status.PASSED}
