"""`attnpack dev train-model`: fetch the text, train, write the files that are shipped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attnpack.errors import BadInputError, in_words
from attnpack.look.model.recipe import Recipe
from attnpack.look.model.tokenizer import Tokenizer
from attnpack.look.texts import corpus

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def train_model(
    out: Path, archives: Path, say: Callable[[str], None], *, fetch: bool, steps: int | None = None
) -> None:
    """Train the shipped model anew into the folder `out`; the text's archives are in `archives`.

    Raises BadInputError where torch or an archive is missing.
    """
    try:
        from attnpack.look.training import train
    except ImportError as error:
        raise BadInputError("Training needs torch: pip install 'attnpack[train]'") from error
    from attnpack.look.training.export import export

    recipe = Recipe() if steps is None else Recipe(steps=steps)
    try:
        if fetch:
            corpus.fetch(archives)
        documents = corpus.documents(archives, recipe)
    except corpus.CorpusMissingError as error:
        raise BadInputError(str(error)) from error
    tokenizer = Tokenizer(corpus.vocabulary(documents, recipe.vocabulary))
    say(f"{len(documents)} documents, {recipe.steps} steps on one thread")
    ended: list[train.Progress] = []

    def report(progress: train.Progress) -> None:
        ended.append(progress)
        say(
            f"step {progress.step}: loss {progress.loss:.3f}, "
            f"on held-out documents {progress.validation:.3f}"
        )

    model = train.train(recipe, tokenizer, documents, report)
    notes = {"text": corpus.ARCHIVES, "validation_loss": round(ended[-1].validation, 4)}
    with in_words(out):
        export(out, recipe, tokenizer, model.weights(), notes)
    say(f"Wrote the model into {out}")
