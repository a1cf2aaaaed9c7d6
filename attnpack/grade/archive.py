"""Source files out of an archive that nobody trusts: in memory, capped, nothing followed.

Only names that look like sources are kept. An archive that reaches outside itself (`..`, an
absolute path), hides a source behind a link or swells past the caps is refused whole. A source
whose name cannot be shown is refused alone, and a note says so.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from attnpack.grade.notebooks import without_outputs

if TYPE_CHECKING:
    from typing import IO, Self

ARCHIVE_SUFFIXES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz")
SOURCE_SUFFIXES = (".py", ".ipynb")
_RENAMED = (".txt", ".json")
"""what mail and browsers put behind the ending of a source"""
IGNORED_FOLDERS = frozenset(
    {"__MACOSX", "__pycache__", "venv", "node_modules", "site-packages"}  # and all hidden ones
)


@dataclass(frozen=True)
class Limits:
    """How much a submission may hold."""

    archive_bytes: int = 32 << 20
    unpacked_bytes: int = 64 << 20
    members: int = 20_000
    """of any kind; a virtual environment zipped by accident has a few thousand"""
    sources: int = 200
    source_bytes: int = 2 << 20
    """of one source, without a notebook's outputs"""
    total_bytes: int = 8 << 20


LIMITS = Limits()

_DRIVE = re.compile("[A-Za-z]:")
_BLOCK = 512
_EXTENDED = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE)
_EXTENDED_BYTES = 1 << 16
_RECORDS = 64
"""in the headers that hold for the whole archive; git writes one"""
_RECORD = re.compile(rb"(\d{1,6}) [^=\n]+=")
_DIGITS = re.compile(rb"\d{100}")


class UnreadableError(Exception):
    """A submission that cannot be read; the text says why, for student and instructor."""


def is_archive(name: str) -> bool:
    """Whether the name says archive."""
    return name.lower().endswith(ARCHIVE_SUFFIXES)


def is_source(path: str) -> bool:
    """Whether the path names a source file that counts: no hidden and no ignored folder on it."""
    return source_name(path) is not None and not is_hidden(path)


def is_hidden(path: str) -> bool:
    """Whether a part of the path begins with a dot, or is a folder that holds nobody's work."""
    parts = PurePosixPath(path).parts
    return any(part.startswith(".") or part in IGNORED_FOLDERS for part in parts)


def source_name(path: str) -> str | None:
    """The path of a source, without what was put behind its ending (`.py.txt`); else None."""
    lower = path.lower()
    for suffix in _RENAMED:
        lower = lower.removesuffix(suffix)
    return path[: len(lower)] if lower.endswith(SOURCE_SUFFIXES) else None


def read_archive(
    name: str, data: bytes, limits: Limits = LIMITS, basket: Basket | None = None
) -> dict[str, bytes]:
    """Path inside the archive -> content, sources only; also put into a basket that is given.

    Raises UnreadableError.
    """
    if len(data) > limits.archive_bytes:
        raise UnreadableError(f"{name} is larger than {limits.archive_bytes >> 20} MiB")
    own = Basket(name, limits)
    try:
        if name.lower().endswith(".zip"):
            _read_zip(name, data, own)
        else:
            _read_tar(name, _unpacked(name, data, limits), own)
    except (
        zipfile.BadZipFile,
        struct.error,
        tarfile.TarError,
        zlib.error,
        lzma.LZMAError,
        EOFError,
        OSError,
        ValueError,
        OverflowError,
        MemoryError,
        RuntimeError,  # zipfile: encrypted
        NotImplementedError,  # zipfile: a compression it does not know
    ) as error:
        raise UnreadableError(f"{name} cannot be unpacked: {error}") from error
    if basket is not None:
        basket.take(own)
    return own.files


class Basket:
    """The sources gathered so far, within the limits."""

    def __init__(self, name: str, limits: Limits) -> None:
        self.files: dict[str, bytes] = {}
        self.notes: list[str] = []
        self.archives: dict[str, bytes] = {}
        """archives inside the archive"""
        self.limits = limits
        self._name = name
        self._total = 0
        self._unpacked = 0

    def room(self, path: str = "") -> int:
        """How many bytes may be read for one more file; raises UnreadableError where none."""
        if len(self.files) >= self.limits.sources:
            raise UnreadableError(f"{self._name} holds more than {self.limits.sources} sources")
        if is_notebook(path):
            return self.limits.unpacked_bytes - self._unpacked
        return self.limits.source_bytes

    def put(self, path: str, content: bytes) -> None:
        """Keep one file; raises UnreadableError past a cap."""
        if is_notebook(path):
            self._unpacked += len(content)
            if self._unpacked > self.limits.unpacked_bytes:
                most = self.limits.unpacked_bytes >> 20
                raise UnreadableError(f"the notebooks of {self._name} are larger than {most} MiB")
            content = without_outputs(content)
        if len(content) > self.limits.source_bytes:
            raise UnreadableError(f"{path} is larger than {self.limits.source_bytes >> 20} MiB")
        self._total += len(content)
        if self._total > self.limits.total_bytes:
            raise UnreadableError(
                f"the sources of {self._name} are larger than {self.limits.total_bytes >> 20} MiB"
            )
        self.files[source_name(path) or path] = content

    def take(self, other: Basket, folder: str = "") -> None:
        """All of another basket, below a folder."""
        above = f"{folder}/" if folder else ""
        for path, content in other.files.items():
            self.room(path)
            self.put(f"{above}{path}", content)
        for path, content in other.archives.items():
            self.put_archive(f"{above}{path}", content)
        self.notes += other.notes

    def put_archive(self, path: str, content: bytes) -> None:
        """Keep an archive that lies in the archive, as far as there is room."""
        if sum(map(len, self.archives.values())) + len(content) <= self.limits.archive_bytes:
            self.archives[path] = content


def is_notebook(path: str) -> bool:
    """Whether the path names a notebook."""
    return (source_name(path) or "").lower().endswith(".ipynb")


def _read_zip(name: str, data: bytes, basket: Basket) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
        _count(name, len(members), basket.limits)
        for member in members:
            path = _inside(name, member.filename, basket.notes)
            if path is None or not _is_wanted(path) or member.is_dir():
                continue
            if stat.S_ISLNK(member.external_attr >> 16):
                raise UnreadableError(f"{path} in {name} is a link; hand in the file itself")
            with archive.open(member) as stream:
                _keep(basket, path, stream)


def _read_tar(name: str, data: bytes, basket: Basket) -> None:
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:", tarinfo=_Member) as archive:
        for count, member in enumerate(archive, 1):
            _count(name, count, basket.limits)
            if member.size < 0 or len(archive.pax_headers) > _RECORDS:
                raise tarfile.ReadError("a header that cannot be true")
            path = _inside(name, member.name, basket.notes)
            if path is None or member.isdir() or not _is_wanted(path):
                continue
            stream = archive.extractfile(member) if member.isreg() else None
            if stream is None:
                raise UnreadableError(f"{path} in {name} is no plain file; hand in the file itself")
            _keep(basket, path, stream)


def _is_wanted(path: str) -> bool:
    return is_source(path) or (is_archive(path) and not is_hidden(path))


def _keep(basket: Basket, path: str, stream: IO[bytes]) -> None:
    """Read one member, no more than there is room for."""
    if is_source(path):
        basket.put(path, stream.read(basket.room(path) + 1))
    else:
        basket.put_archive(path, stream.read(basket.limits.archive_bytes + 1))


class _Member(tarfile.TarInfo):
    """A member of a tar whose extended header is looked at before tarfile reads it.

    Some releases of Python take hours, and gigabytes, for one that is not well formed.
    """

    @classmethod
    def fromtarfile(cls, tarfile: tarfile.TarFile) -> Self:
        """The member whose header comes next."""
        file = tarfile.fileobj
        if file is not None:
            start = file.tell()
            header = cls.frombuf(file.read(_BLOCK), tarfile.encoding or "utf-8", tarfile.errors)
            if header.type in _EXTENDED:
                _check_records(file.read(_EXTENDED_BYTES + 1)[: max(header.size, 0)])
            file.seek(start)
        return super().fromtarfile(tarfile)


def _check_records(records: bytes) -> None:
    """Each is `LENGTH KEY=VALUE` and a newline. Raises tarfile.ReadError."""
    if len(records) > _EXTENDED_BYTES or _DIGITS.search(records):
        raise tarfile.ReadError("an extended header that is too long")
    at = 0
    while at < len(records) and records[at]:
        found = _RECORD.match(records, at)
        end = at + int(found[1]) if found else 0
        if not found or end < found.end() or records[end - 1 : end] != b"\n":
            raise tarfile.ReadError("an extended header that is not well formed")
        at = end


def _unpacked(name: str, data: bytes, limits: Limits) -> bytes:
    """The bytes of the tar inside its compression, never more than the cap."""
    cap = limits.unpacked_bytes
    lower = name.lower()
    if lower.endswith((".gz", ".tgz")):
        plain = gzip.GzipFile(fileobj=io.BytesIO(data)).read(cap + 1)
    elif lower.endswith((".bz2", ".tbz2")):
        plain = bz2.BZ2File(io.BytesIO(data)).read(cap + 1)
    elif lower.endswith(".xz"):
        decompressor = lzma.LZMADecompressor(memlimit=2 * cap)
        plain = decompressor.decompress(data, cap + 1)
        if len(plain) <= cap and not decompressor.eof:
            raise EOFError("it ends before its end-of-stream marker")
    else:
        plain = data
    if len(plain) > cap:
        raise UnreadableError(f"{name} unpacks to more than {cap >> 20} MiB")
    return plain


def _count(name: str, members: int, limits: Limits) -> None:
    if members > limits.members:
        raise UnreadableError(f"{name} holds more than {limits.members} files")


def _inside(archive: str, name: str, notes: list[str]) -> str | None:
    """The member's path in one spelling; None, with a note, where a source cannot be named.

    Raises UnreadableError where the path leads out of the archive.
    """
    path = name.replace("\\", "/")
    parts = PurePosixPath(path).parts
    shown = path.encode("unicode_escape", "replace").decode()[:80]
    if path.startswith("/") or ".." in parts or any(_DRIVE.fullmatch(part) for part in parts[:1]):
        raise UnreadableError(f"{archive} holds a file named '{shown}', which leads out of it")
    if not path.isprintable():
        if is_source("".join(filter(str.isprintable, path))):
            notes.append(
                f"A file in {archive} is not read: its name, '{shown}', has characters that "
                "cannot be seen."
            )
        return None
    return "/".join(parts)
