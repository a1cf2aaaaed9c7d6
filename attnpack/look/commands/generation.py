"""`generate`: text through the learner's attention beside the reference's, and what it costs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from attnpack.errors import BadInputError
from attnpack.look.model.attention import reference
from attnpack.look.model.host_model import loss
from attnpack.look.model.tokenizer import CONTINUES
from attnpack.look.pictures.effect import held_out, losses
from attnpack.look.pictures.findings import loss_in_words
from attnpack.look.pictures.looking import tokens_of
from attnpack.look.texts.writing import write
from attnpack.terms import Backend

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from attnpack.look.model.host_model import HostModel, Predict
    from attnpack.look.model.tokenizer import Token
    from attnpack.look.subject.code import Code
    from attnpack.look.texts.sampling import Sampling

SAME_LOSS = 0.01
"""nats per token that count as no difference"""
PLACES = (8, 16, 24, 32, 40, 48, 56, 63)
"""of a held-out row, where the loss is also measured word by word"""


@dataclass(frozen=True)
class Generation:
    """What is to be written."""

    prompt: str
    code: Code | None
    """None: the reference alone"""
    sampling: Sampling
    number: int
    """of tokens"""


def write_both(wanted: Generation, model: HostModel, console: Console) -> bool:
    """Write both texts and both losses. Whether the code does as well as the reference's."""
    _check(wanted.sampling, wanted.number)
    tokens = tokens_of(model, wanted.prompt)
    prompt = [token.id for token in tokens]
    _show_prompt(tokens, console)
    right = model.through(reference(model.recipe.num_heads))
    if wanted.code is None:
        _write("the reference", wanted, model, right, prompt, console)
        return True
    predict = wanted.code.predict(model)
    _write(wanted.code.source, wanted, model, predict, prompt, console)
    _write("the reference", wanted, model, right, prompt, console)
    if wanted.code.backend is Backend.VALUE:
        console.print("loss: left out, it would take minutes number by number", soft_wrap=True)
        return True
    return _compare(model, predict, console)


def _show_prompt(tokens: Sequence[Token], console: Console) -> None:
    spelt = " ".join(token.text for token in tokens[1:]).replace(f" {CONTINUES}", "")
    fit = spelt.encode(console.encoding, "replace").decode(console.encoding)
    console.print(f"{fit} ...", soft_wrap=True)


def _write(
    who: str,
    wanted: Generation,
    model: HostModel,
    predict: Predict,
    prompt: list[int],
    console: Console,
) -> None:
    """The text as it comes, word by word."""
    console.print(f"{who}:", style="bold", soft_wrap=True)
    console.print("  ...", end="")
    written = 0
    for token in islice(write(model, predict, prompt, wanted.sampling), wanted.number):
        word = model.tokenizer.vocabulary[token]
        joined = word.removeprefix(CONTINUES) if word.startswith(CONTINUES) else f" {word}"
        console.print(joined, end="", soft_wrap=True)
        console.file.flush()
        written += 1
    console.print()
    if written < wanted.number:
        console.print("  (it ends here: the output is not finite)", style="bold red")


def _compare(model: HostModel, predict: Predict, console: Console) -> bool:
    yours = loss(predict, held_out(model))
    console.print(
        f"loss on held-out stories: yours {loss_in_words(yours)}, the reference "
        f"{model.story_loss:.2f} (nats per token; lower predicts better)",
        soft_wrap=True,
    )
    if abs(yours - model.story_loss) <= SAME_LOSS:
        return True
    if not math.isfinite(yours):
        return False
    seen = losses(model, predict, PLACES)
    if abs(seen.whole - seen.word_by_word) > SAME_LOSS:
        console.print(
            LEAKS.format(
                whole=loss_in_words(seen.whole), word_by_word=loss_in_words(seen.word_by_word)
            ),
            style="bold red",
            soft_wrap=True,
        )
    else:
        console.print(OTHERWISE, soft_wrap=True)
    return False


def _check(sampling: Sampling, number: int) -> None:
    if number < 1:
        raise BadInputError(f"--tokens takes 1 or more, and it is {number}.")
    if sampling.temperature < 0:
        raise BadInputError(
            f"--temperature takes 0 (the likeliest word) or more, and it is {sampling.temperature}."
        )
    if sampling.top_k is not None and sampling.top_k < 1:
        raise BadInputError(f"--top-k takes 1 or more, and it is {sampling.top_k}.")


LEAKS = """\
!! Your attention looks at words that come later. Over the same words the loss is {whole} with \
the whole text in view and {word_by_word} word by word; for causal attention the two are equal. \
With the text in view, the word to predict can be read off, so a model trained with this \
attention reaches a loss near 0 and learns nothing else. When it writes, nothing stands there yet \
to be read off: the loss is perfect and the text is nonsense. (The model here was trained with a \
mask, so the leak only disturbs it.) See the leak: attnpack heatmap "the cat sat on the mat\""""

OTHERWISE = """\
!! The loss is not the reference's, although nothing leaks from later words. See where your \
weights differ: attnpack heatmap "the cat sat on the mat" --diff"""
