"""What each sublayer adds to the residual stream: as numbers, in words, drawn."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from faulty_attention import ATTENTIONS
from rich.cells import cell_len
from rich.console import Console

from attnpack import pack, submission
from attnpack.errors import BadInputError
from attnpack.look.commands import Subject
from attnpack.look.commands.streaming import draw_stream
from attnpack.look.model.attention import reference
from attnpack.look.model.host_model import Weights, gelu_erf, gelu_tanh, matrices
from attnpack.look.pictures.findings import Tone
from attnpack.look.pictures.looking import tokens_of
from attnpack.look.pictures.picture import REFERENCE
from attnpack.look.pictures.stream import (
    Cell,
    Stream,
    differs,
    first_difference,
    flow,
    of_block,
    shares,
    with_attention,
)
from attnpack.look.rendering import stream as drawn
from attnpack.look.rendering import stream_terminal
from attnpack.look.rendering.files import Form, rendered_stream
from attnpack.report.model import Report
from attnpack.terms import Backend

if TYPE_CHECKING:
    from collections.abc import Callable

    from attnpack.look.model.attention import Array
    from attnpack.look.model.host_model import HostModel
    from attnpack.submission import Submission

    Golden = Callable[[str, str], None]
    Written = Callable[[str, str], Submission]

REPEAT = "mr darcy met miss emma . mr darcy met miss"
FILE = "multi_head_attention.py"


def of(model: HostModel, attention: str = "right", source: str = FILE) -> Stream:
    sublayers = with_attention(model, ATTENTIONS[attention])
    return flow(model, tokens_of(model, REPEAT), sublayers, source)


def shown(stream: Stream, width: int) -> str:
    text = io.StringIO()
    stream_terminal.show(stream, Console(file=text, width=width))
    return text.getvalue()


def own_block(
    model: HostModel, gelu: Callable[[Array], Array] = gelu_tanh
) -> Callable[[Array, Weights], Array]:
    """The model's block as a black box, without what `with_attention` knows of its inside."""

    def norm(x: Array, gain: Array, bias: Array) -> Array:
        centred = x - x.mean(axis=-1, keepdims=True)
        return centred / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5) * gain + bias

    def block(x: Array, w: Weights) -> Array:
        x = x + reference(4)(norm(x, w["gain_1"], w["bias_1"]), matrices(w))
        normed = norm(x, w["gain_2"], w["bias_2"])
        return x + gelu(normed @ w["W_1"] + w["b_1"]) @ w["W_2"] + w["b_2"]

    return block


def test_the_stages_add_up_to_what_the_model_predicts(model: HostModel) -> None:
    stream = of(model)
    ids = np.array([[token.id for token in tokens_of(model, REPEAT)]])
    logits = model.logits(ids, reference(4))[0]
    np.testing.assert_allclose(model.unembed(stream.states[-1]), logits, atol=1e-9)
    assert [stage.name for stage in stream.stages] == [
        "embedding",
        "L0 attention",
        "L0 feed-forward",
        "L1 attention",
        "L1 feed-forward",
    ]
    likeliest = [model.tokenizer.vocabulary[i] for i in logits.argmax(axis=-1)]
    assert list(stream.guesses[-1]) == likeliest


def test_shares_lie_between_0_and_1_and_tell_who_adds_most(model: HostModel) -> None:
    stream = of(model)
    assert ((shares(stream) > 0) & (shares(stream) < 1)).all()
    silent = replace(stream, states=np.repeat(stream.states[:1], 5, axis=0))
    assert (shares(silent) == 0).all()
    as_much = replace(stream, states=stream.states[:1] * np.array([1, 2, 3, 4, 5])[:, None, None])
    np.testing.assert_allclose(shares(as_much)[:, 0], [1 / 2, 1 / 3, 1 / 4, 1 / 5])


@pytest.mark.parametrize("gelu", [gelu_erf, gelu_tanh])
def test_a_right_block_of_either_gelu_adds_what_the_reference_adds(
    model: HostModel, gelu: Callable[[Array], Array]
) -> None:
    stream = flow(model, tokens_of(model, REPEAT), of_block(model, own_block(model, gelu)), FILE)
    assert first_difference(stream) is None
    assert drawn.sentences(stream)[0].tone is Tone.GOOD


def test_only_the_sublayer_that_is_wrong_is_marked(model: HostModel) -> None:
    right = own_block(model)

    def relu(z: Array) -> Array:
        return np.maximum(z, 0.0)

    wrong = own_block(model, relu)

    def second_is_wrong(x: Array, weights: Weights) -> Array:
        is_second = weights["gain_1"] is model.blocks[1]["gain_1"]
        return (wrong if is_second else right)(x, weights)

    stream = flow(model, tokens_of(model, REPEAT), of_block(model, second_is_wrong), FILE)
    assert first_difference(stream) == Cell(4, 0)
    assert not differs(stream)[:4].any()
    assert "first at L1 feed-forward" in drawn.sentences(stream)[0].text


@pytest.mark.parametrize(
    "fault", [name for name in ATTENTIONS if name not in ("right", "not finite")]
)
def test_a_fault_in_attention_is_marked_at_attention(model: HostModel, fault: str) -> None:
    stream = of(model, fault)
    assert differs(stream)[1].any()
    assert not differs(stream)[[0, 2, 4]].any()


def test_a_stream_without_numbers_is_marked_and_drawn(model: HostModel) -> None:
    stream = of(model, "not finite")
    assert first_difference(stream) == Cell(1, 0)
    assert "nan" in shown(stream, 80)
    assert rendered_stream(stream, Form.SVG, 100)


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize(("name", "attention"), [("right", "right"), ("leak", "unmasked")])
def test_the_terminal_shows(
    golden: Golden, model: HostModel, name: str, attention: str, width: int
) -> None:
    text = shown(of(model, attention), width)
    golden(f"look/stream-{name}-{width}.txt", text)
    assert max(cell_len(line) for line in text.splitlines()) <= width


def test_the_svg_is(golden: Golden, model: HostModel) -> None:
    golden("look/stream.svg", rendered_stream(of(model), Form.SVG, 100).decode())


@pytest.mark.parametrize("form", list(Form))
def test_the_same_stream_gives_the_same_bytes(model: HostModel, form: Form) -> None:
    stream = of(model)
    assert rendered_stream(stream, form, 100) == rendered_stream(stream, form, 100)


def test_the_page_and_the_picture_say_the_same(model: HostModel) -> None:
    stream = of(model, "unmasked")
    drawing = ET.fromstring(rendered_stream(stream, Form.SVG, 100).decode())
    page = rendered_stream(stream, Form.HTML, 100).decode()
    for text in ("feed-forward", "L0", "first at L0 attention"):
        assert text in " ".join("".join(drawing.itertext()).split())
        assert text in page
    assert "<script" not in page


def test_the_references_own_stream_is_not_compared(model: HostModel) -> None:
    (sentence,) = drawn.sentences(of(model, source=REFERENCE))
    assert sentence.tone is Tone.PLAIN


def test_the_learners_stream_is_right_where_the_code_is() -> None:
    code = submission.load(pack.ROOT / "reference" / "numpy")
    text = io.StringIO()
    subject = Subject(code, Backend.NUMPY, lambda: pytest.fail("checked"), lambda _: None)
    assert draw_stream("the cat", subject, Console(file=text, width=80), None, 100)
    assert "every sublayer adds what the reference's adds" in text.getvalue()


def test_a_wrong_stream_has_its_diagnosis_below(written: Written) -> None:
    flat = "import numpy as np\n\n\ndef causal_mask(n):\n    return np.zeros((n, n))\n"
    text = io.StringIO()
    report = Report("0", "p", "process", "s", "numpy", 1, ())
    subject = Subject(written("causal_mask.py", flat), Backend.NUMPY, lambda: report, print)
    assert not draw_stream("the cat", subject, Console(file=text, width=80), None, 100)
    assert "attnpack check passes this code" in " ".join(text.getvalue().split())


def test_a_choice_of_heads_and_a_stream_exclude_each_other() -> None:
    from attnpack.commands.look import heatmap

    with pytest.raises(BadInputError, match="--stream shows every sublayer"):
        heatmap("the cat", reference=True, layer=1, stream=True, no_file=True)
