"""Hand-ins of any bytes: sources within the caps, or a sentence; the disk as it was."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import stat
import struct
import tarfile
import time
import tracemalloc
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from effort import examples
from hypothesis import example, given
from hypothesis import strategies as st
from mutating import mutated

from attnpack.grade.archive import LIMITS, UnreadableError, read_archive
from attnpack.grade.discover import HandIn, discover
from attnpack.grade.intake import take_in
from attnpack.grade.loading import load
from attnpack.grade.names import Owner

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

SOFTMAX = b"def softmax(scores):\n    return scores\n"
SCORES = b"def attention_scores(Q, K, d_k):\n    return Q\n"
FILES = {"hw/softmax.py": SOFTMAX, "hw/attention_scores.py": SCORES, "hw/notes.txt": b"x"}
SMALL = replace(LIMITS, unpacked_bytes=16 << 20, source_bytes=1 << 14, total_bytes=1 << 15)


def block(name: str, kind: bytes, data: bytes, size: int | None = None) -> bytes:
    """A member of a tar, which may lie about its size."""
    member = tarfile.TarInfo(name)
    member.type = kind
    member.size = len(data) if size is None else size
    return member.tobuf(tarfile.GNU_FORMAT) + data + bytes(-len(data) % 512)


END = bytes(1024)
SOURCE = block("softmax.py", tarfile.REGTYPE, SOFTMAX)


def tarred(form: int = tarfile.PAX_FORMAT) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=form) as archive:
        for name, content in FILES.items():
            member = tarfile.TarInfo(name)
            member.size, member.uname = len(content), "ünï"
            archive.addfile(member, io.BytesIO(content))
        long = tarfile.TarInfo("hw/" + "long/" * 60 + "mask.py")
        archive.addfile(long)
        link = tarfile.TarInfo("hw/link.txt")
        link.type, link.linkname = tarfile.SYMTYPE, "../../etc/passwd"
        archive.addfile(link)
    return buffer.getvalue()


def zipped(compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, content in FILES.items():
            archive.writestr(name, content)
    return buffer.getvalue()


WHOLE: dict[str, bytes] = {
    "a.zip": zipped(),
    "stored.zip": zipped(zipfile.ZIP_STORED),
    "lzma.zip": zipped(zipfile.ZIP_LZMA),
    "bz2.zip": zipped(zipfile.ZIP_BZIP2),
    "a.tar": tarred(),
    "gnu.tar": tarred(tarfile.GNU_FORMAT),
    "a.tar.gz": gzip.compress(tarred(), mtime=0),
    "a.tar.bz2": bz2.compress(tarred()),
    "a.tar.xz": lzma.compress(tarred()),
}


def read(name: str, data: bytes) -> dict[str, bytes] | None:
    """The sources, which keep to every cap; None where the archive was refused in words."""
    began = time.process_time()
    files, refusal = None, f"not {name}"
    try:
        files = read_archive(name, data, SMALL)
    except UnreadableError as error:
        refusal = str(error)
    assert name in refusal
    assert refusal.isprintable()
    assert time.process_time() - began < 10.0, "reading must not depend on what a header claims"
    for path, content in (files or {}).items():
        assert not path.startswith("/")
        assert ".." not in path.split("/")
        assert path.isprintable()
        assert len(content) <= SMALL.source_bytes
    return files


@pytest.mark.parametrize("name", sorted(WHOLE))
def test_the_archives_that_are_mutated_here_are_right(name: str) -> None:
    files = read(name, WHOLE[name])
    assert files is not None
    assert files["hw/softmax.py"] == SOFTMAX


@examples(400)
@given(st.sampled_from(sorted(WHOLE)).flatmap(lambda n: st.tuples(st.just(n), mutated(WHOLE[n]))))
def test_an_archive_that_was_hit_is_read_or_refused(hit: tuple[str, bytes]) -> None:
    read(*hit)


@examples(200)
@given(st.sampled_from(["a.zip", "a.tar", "a.tar.gz", "a.tar.bz2", "a.tar.xz"]), st.binary())
def test_any_bytes_are_read_or_refused(name: str, data: bytes) -> None:
    read(name, data)


@examples(150)
@given(st.sampled_from([n for n in sorted(WHOLE) if not n.endswith(".tar")]), st.data())
def test_what_is_cut_short_is_refused_and_never_loses_a_file_unseen(
    name: str, data: st.DataObject
) -> None:
    whole = WHOLE[name]
    assert read(name, whole[: data.draw(st.integers(0, len(whole) - 1))]) is None


@examples(60)
@given(st.integers(0, len(WHOLE["a.zip"]) * 8 - 1), st.sampled_from(["a.zip", "lzma.zip"]))
def test_a_bit_of_a_zip_that_was_hit_never_changes_a_source(at: int, name: str) -> None:
    hit = bytearray(WHOLE[name])
    hit[at // 8 % len(hit)] ^= 1 << at % 8
    for content in (read(name, bytes(hit)) or {}).values():
        assert content in (SOFTMAX, SCORES)


def padded(records: bytes, kind: bytes = tarfile.XHDTYPE, size: int | None = None) -> bytes:
    return block("p", kind, records, size) + SOURCE + END


SIZES = [-1, -512, -1024, 2**33, 2**62, 2**63, 2**70]


@pytest.mark.parametrize(
    "data",
    [
        *(block("softmax.py", tarfile.REGTYPE, b"x", size) + SOURCE + END for size in SIZES),
        *(block("p", tarfile.GNUTYPE_LONGNAME, b"x", size) + SOURCE + END for size in SIZES),
        *(padded(b"9 a=abcd\n", tarfile.XHDTYPE, size) for size in SIZES),
        padded(b"14 size=-1024\n"),
        padded(b"14 size=-2048\n"),
        padded(b"25 size=1000000000000000\n"),
        padded(b"1" * 60_000),
        padded(b"1" * 200_000),
        padded(b"2 " * 30_000 + b"="),
        padded(b"12 hdrcharset" + b"1" * 60_000 + b"\n"),
        padded(b"2 " * 100_000 + b"=", tarfile.XGLTYPE),
        padded(b"".join(b"9 %04d=\n\n" % n for n in range(5000)), tarfile.XGLTYPE),
        block("p", tarfile.GNUTYPE_LONGNAME, b"x") * 5000 + SOURCE + END,
        b"".join(padded(b"14 size=-1024\n")[:-1024] for _ in range(3)) + END,
    ],
    ids=lambda data: f"{len(data)} bytes",
)
def test_headers_of_a_tar_that_lie_are_refused_at_once(data: bytes) -> None:
    tracemalloc.start()
    try:
        assert read("a.tar", data) is None
    finally:
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert most < 16 << 20


def test_a_comment_for_the_whole_archive_as_git_writes_it_is_no_reason_to_refuse() -> None:
    data = padded(b"52 comment=%s\n" % (b"7" * 40), tarfile.XGLTYPE)
    assert read("a.tar", data) == {"softmax.py": SOFTMAX}


@pytest.mark.parametrize(
    ("name", "pack"), [("a.tar.gz", gzip.compress), ("a.tar.bz2", bz2.compress)]
)
def test_a_compression_in_several_streams_is_read_to_its_end(
    name: str, pack: Callable[[bytes], bytes]
) -> None:
    other = block("attention_scores.py", tarfile.REGTYPE, SCORES)
    files = read(name, pack(SOURCE) + pack(other + END))
    assert files == {"softmax.py": SOFTMAX, "attention_scores.py": SCORES}


def test_a_dictionary_of_four_gigabytes_in_a_zip_is_not_made_for_a_small_file() -> None:
    data = bytearray(WHOLE["lzma.zip"])
    at = data.index(b"hw/softmax.py") + len("hw/softmax.py") + 5
    data[at : at + 4] = b"\xff\xff\xff\xff"
    assert read("lzma.zip", bytes(data)) in (None, {k: FILES[k] for k in list(FILES)[:2]})


names = (
    st.sampled_from([
        "softmax.py", "a/softmax.py", "../softmax.py", "/softmax.py", "a/../b.py", "..\\x.py",
        "C:\\x.py", "a\0.py", "\u202ea.py", "\x1b[2J.py", "a\n.py", ".py", "..", ".", "/", "",
        "x.ipynb", "é.py", "e\u0301.py", "CON.py", "a" * 300 + ".py", "a/" * 90 + "b.py",
        "__MACOSX/._a.py", ".git/a.py", "~/a.py", "\ufeffa.py", "\udcff.py",
    ])
    | st.text(max_size=12).map(lambda name: f"{name}.py")
)  # fmt: skip
kinds = st.sampled_from([
    tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE,
    tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.CONTTYPE, tarfile.GNUTYPE_SPARSE, b"Z",
])  # fmt: skip


@examples(150)
@given(st.lists(st.tuples(names, kinds, st.binary(max_size=40)), max_size=5))
def test_any_names_and_kinds_in_a_tar_are_read_or_refused(
    members: list[tuple[str, bytes, bytes]],
) -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", errors="surrogatepass") as archive:
        for name, kind, content in members:
            member = tarfile.TarInfo(name)
            member.type, member.size, member.linkname = kind, len(content), "../../etc/passwd"
            archive.addfile(member, io.BytesIO(content))
    contents = {content for _, kind, content in members if kind not in (b"1", b"2", b"3", b"6")}
    if any(kind == tarfile.GNUTYPE_SPARSE for _, kind, _ in members):
        contents.add(b"")  # its header says that it is all holes
    files = read("a.tar", buffer.getvalue())
    assert files is None or set(files.values()) <= contents


@examples(150)
@given(
    st.lists(
        st.tuples(names, st.sampled_from([0, stat.S_IFLNK, stat.S_IFIFO, stat.S_IFREG])),
        max_size=5,
    ),
    st.binary(max_size=40),
)
@example([("", 0)], b"x")
def test_any_names_in_a_zip_are_read_or_refused(
    members: list[tuple[str, int]], content: bytes
) -> None:
    files = read("a.zip", _zip_of(members, content))
    assert files is None or set(files.values()) <= {content}
    first = next((kind for name, kind in members if name == "softmax.py"), 0)
    if first == stat.S_IFLNK:  # a second one of the name is not put in
        assert files is None


def _zip_of(members: Iterable[tuple[str, int]], content: bytes) -> bytes:
    """A zip; `zipfile` itself would clean some of the names."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for number, (name, kind) in enumerate(members):
            member = zipfile.ZipInfo(f"{number}")
            member.filename = name.encode("utf-8", "replace").decode()
            member.external_attr = (kind | 0o644) << 16
            if member.filename not in archive.NameToInfo:
                archive.writestr(member, content)
    return buffer.getvalue()


@examples(80)
@given(st.sampled_from(["a.zip", "a.tar.gz", "a.py", "a.ipynb"]), st.data())
def test_a_hand_in_of_any_bytes_is_taken_in_or_has_its_problem_said(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    place = tmp_path_factory.mktemp("hand_ins")
    drawn = st.binary(max_size=300)
    content = data.draw(drawn | mutated(WHOLE[name]) if name in WHOLE else drawn)
    (place / name).write_bytes(content)
    [hand_in] = discover(place)
    intake = take_in(hand_in)
    assert bool(intake.files) != bool(intake.problem)
    assert len(intake.sha256) == 64
    assert [(path.name, path.read_bytes()) for path in place.iterdir()] == [(name, content)]
    if intake.files:
        _loads(dict(intake.files))


@examples(60)
@given(st.dictionaries(st.sampled_from(["softmax.py", "x.py", "n.ipynb"]), st.binary(max_size=200)))
@example({"softmax.py": b"-" * 100_000})
@example({"x.py": b"# coding: rot13\nx = 1"})
@example({"n.ipynb": b'{"cells": [{"cell_type": "code", "source": "x = \\"\\ud800\\""}]}'})
def test_files_of_any_bytes_are_a_submission_or_have_their_problem_said(
    files: dict[str, bytes],
) -> None:
    if files:
        _loads(files)


def _loads(files: dict[str, bytes]) -> None:
    try:
        loaded = load(files)
    except UnreadableError:
        return
    assert set(loaded.sources) <= set(files)
    for exercise in loaded.entries:
        loaded.started(exercise)
        loaded.line(exercise)


def test_a_folder_of_links_and_pipes_is_taken_in_without_following_one(tmp_path: Path) -> None:
    outside = tmp_path / "outside.py"
    outside.write_text("secret = 1\n")
    place = tmp_path / "jane"
    place.mkdir()
    try:
        (place / "softmax.py").symlink_to(outside)
        (place / "more").symlink_to(tmp_path)
    except OSError:
        pytest.skip("links cannot be made here")
    intake = take_in(HandIn("jane", Owner("jane"), (place,)))
    assert not intake.files
    assert intake.problem


def test_a_zip_whose_directory_claims_what_its_files_are_not_is_refused() -> None:
    data = bytearray(WHOLE["stored.zip"])
    at = data.rindex(b"PK\x01\x02")
    struct.pack_into("<I", data, at + 24, 2**31)
    struct.pack_into("<I", data, at + 42, 2**31)
    read("stored.zip", bytes(data))
