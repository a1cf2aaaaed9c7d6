"""A trained model as the files that are shipped: weights, vocabulary, recipe, heads, sums."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np

from attnpack.look.model.attention import reference
from attnpack.look.model.heads import measure
from attnpack.look.model.host_model import HEADS, RECIPE, SUMS, VOCABULARY, WEIGHTS, assemble
from attnpack.look.pictures.effect import held_out

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Any

    from numpy.typing import NDArray

    from attnpack.look.model.recipe import Recipe
    from attnpack.look.model.tokenizer import Tokenizer


def export(
    folder: Path,
    recipe: Recipe,
    tokenizer: Tokenizer,
    weights: Mapping[str, NDArray[np.float16]],
    notes: Mapping[str, Any],
) -> None:
    """Write a model into a folder, measured as it will be read: from float16, by numpy.

    `notes` go into the recipe's file: what text it was trained on, how training ended.
    """
    folder.mkdir(parents=True, exist_ok=True)
    arrays = {name: array.astype(np.float64) for name, array in weights.items()}
    model = assemble(recipe, tokenizer, (), arrays)
    story_loss = model.loss(held_out(model), reference(recipe.num_heads))
    heads = [asdict(head) for head in measure(model)]
    contents = {
        WEIGHTS: _stored(weights),
        VOCABULARY: "".join(f"{word}\n" for word in tokenizer.vocabulary).encode(),
        RECIPE: _json({"recipe": asdict(recipe), **notes, "story_loss": round(story_loss, 4)}),
        HEADS: _json({"heads": heads}),
    }
    sums = [f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in contents.items()]
    contents[SUMS] = "".join(sums).encode()
    for name, data in contents.items():
        (folder / name).write_bytes(data)


def _stored(weights: Mapping[str, NDArray[np.float16]]) -> bytes:
    """As `np.savez_compressed` does it, in bytes that depend on the weights alone."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in weights.items():
            entry = zipfile.ZipInfo(f"{name}.npy")
            entry.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(entry, "w") as member:
                np.lib.format.write_array(member, array, allow_pickle=False)
    return file.getvalue()


def _json(value: object) -> bytes:
    return (json.dumps(value, indent=1) + "\n").encode()
