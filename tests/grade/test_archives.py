"""Archives that nobody trusts."""

from __future__ import annotations

import io
import json
import stat
import tarfile
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from attnpack.grade.archive import LIMITS, Basket, UnreadableError, read_archive

if TYPE_CHECKING:
    from collections.abc import Mapping

SOURCE = b"def softmax(scores): ...\n"


def zipped(files: Mapping[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def tarred(members: Mapping[str, bytes | str], mode: str = "w") -> bytes:
    """Bytes are a file's content, a text is a link's target."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            if isinstance(content, str):
                member.type, member.linkname = tarfile.SYMTYPE, content
                archive.addfile(member)
            else:
                member.size = len(content)
                archive.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


@pytest.mark.parametrize("suffix", ["tar", "tar.gz", "tgz", "tar.bz2", "tar.xz"])
def test_every_tar_is_read(suffix: str) -> None:
    mode = {"tar": "w", "tgz": "w:gz"}.get(suffix, f"w:{suffix[4:]}")
    data = tarred({"hand-in/softmax.py": SOURCE, "hand-in/notes.txt": b"x"}, mode)
    assert read_archive(f"a.{suffix}", data) == {"hand-in/softmax.py": SOURCE}


def test_a_zip_is_read_without_what_is_no_source_of_the_student() -> None:
    files = {
        "softmax.py": SOURCE,
        ".venv/lib/a.py": b"",
        "__MACOSX/._softmax.py": b"",
        "__pycache__/softmax.py": b"",
        "data.bin": b"",
    }
    assert read_archive("a.zip", zipped(files)) == {"softmax.py": SOURCE}


@pytest.mark.parametrize(
    "name", ["../softmax.py", "/etc/softmax.py", "a/../../softmax.py", "C:/softmax.py", "..\\x.py"]
)
def test_names_that_lead_out_are_refused(name: str) -> None:
    for file, data in (("a.zip", zipped({name: SOURCE})), ("a.tar", tarred({name: SOURCE}))):
        with pytest.raises(UnreadableError, match="leads out"):
            read_archive(file, data)


@pytest.mark.parametrize(
    "name", ["a\x1b[2J.py", "a\n.py", "\u202eyp.a.py", "soft\u200bmax.py", "softmax.py\r"]
)
def test_a_source_whose_name_cannot_be_shown_is_left_out_alone(name: str) -> None:
    basket = Basket("a.tar", LIMITS)
    files = read_archive("a.tar", tarred({name: SOURCE, "b.py": SOURCE}), LIMITS, basket)
    assert files == basket.files == {"b.py": SOURCE}
    [note] = basket.notes
    assert note.isprintable()
    assert "cannot be seen" in note


@pytest.mark.parametrize("name", ["Icon\r", "week 3: notes/x.txt", "\u200b.txt"])
def test_an_odd_name_of_no_source_is_no_word_worth(name: str) -> None:
    basket = Basket("a.zip", LIMITS)
    files = {name: b"", "week 3: work/softmax.py": SOURCE}
    assert read_archive("a.zip", zipped(files), LIMITS, basket) == {
        "week 3: work/softmax.py": SOURCE
    }
    assert basket.notes == []


def test_what_mail_put_behind_an_ending_is_taken_off() -> None:
    files = {"softmax.py.txt": SOURCE, "b.ipynb.json": b"{}", "c.PY": SOURCE, "notes.txt": b""}
    assert set(read_archive("a.zip", zipped(files))) == {"softmax.py", "b.ipynb", "c.PY"}


def test_outputs_of_a_notebook_do_not_count_as_source() -> None:
    cell = {"cell_type": "code", "source": "x = 1", "outputs": [{"png": "A" * (9 << 20)}]}
    content = json.dumps({"cells": [cell]}).encode()
    [kept] = read_archive("a.zip", zipped({"work.ipynb": content})).values()
    assert json.loads(kept)["cells"][0] == {**cell, "outputs": []}
    small = replace(LIMITS, unpacked_bytes=1 << 20)
    with pytest.raises(UnreadableError, match="notebooks"):
        read_archive("a.zip", zipped({"work.ipynb": content}), small)


def test_links_are_refused() -> None:
    with pytest.raises(UnreadableError, match="no plain file"):
        read_archive("a.tar", tarred({"softmax.py": "/etc/passwd"}))
    member = zipfile.ZipInfo("softmax.py")
    member.external_attr = (stat.S_IFLNK | 0o777) << 16
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(member, "/etc/passwd")
    with pytest.raises(UnreadableError, match="link"):
        read_archive("a.zip", buffer.getvalue())


def test_bombs_are_refused() -> None:
    small = replace(LIMITS, unpacked_bytes=1 << 20, source_bytes=1 << 16, total_bytes=1 << 18)
    bombs = {
        "a.zip": zipped({"softmax.py": bytes(1 << 22)}),
        "a.tar.gz": tarred({"x.bin": bytes(1 << 22)}, "w:gz"),
        "a.tar.bz2": tarred({"x.bin": bytes(1 << 22)}, "w:bz2"),
        "a.tar.xz": tarred({"x.bin": bytes(1 << 22)}, "w:xz"),
        "b.zip": zipped({f"s{at}.py": bytes(1 << 15) for at in range(20)}),
    }
    for name, data in bombs.items():
        with pytest.raises(UnreadableError, match=r"larger|more than|Memory usage limit"):
            read_archive(name, data, small)


def test_too_many_files_are_refused() -> None:
    few = replace(LIMITS, members=5, sources=3)
    with pytest.raises(UnreadableError, match="more than 5"):
        read_archive("a.zip", zipped({f"{at}.txt": b"" for at in range(6)}), few)
    with pytest.raises(UnreadableError, match="more than 3"):
        read_archive("a.tar", tarred({f"{at}.py": b"" for at in range(4)}), few)


@pytest.mark.parametrize("name", ["a.zip", "a.tar", "a.tar.gz", "a.tar.bz2", "a.tar.xz"])
def test_broken_archives_are_unreadable_not_a_crash(name: str) -> None:
    for data in (b"", b"PK\x03\x04 nonsense", zipped({"softmax.py": SOURCE})[:40]):
        with pytest.raises(UnreadableError):
            read_archive(name, data)


def test_a_zip_with_a_wrong_checksum_is_unreadable() -> None:
    data = bytearray(zipped({"softmax.py": SOURCE}, zipfile.ZIP_STORED))
    data[data.index(b"def")] ^= 1
    with pytest.raises(UnreadableError, match="CRC"):
        read_archive("a.zip", bytes(data))
