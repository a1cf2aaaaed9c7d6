"""What is in the wheel and in the source distribution."""

from __future__ import annotations

import tarfile
import zipfile
from pathlib import Path, PurePosixPath

import built
import pytest

pytestmark = pytest.mark.exhaustive

SHIPPED = {".py", ".toml", ".txt", ".md", ".json", ".npz"}
"""the kinds of file that a wheel may hold, besides SHA256SUMS"""
LARGEST = 3_000_000


def names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def files_of(checkout: Path, part: str) -> set[str]:
    """The files of one part of the checkout, by their place in it."""
    place = checkout / part
    files = [place] if place.is_file() else [p for p in place.rglob("*") if p.is_file()]
    return {file.relative_to(checkout).as_posix() for file in files}


def test_the_wheel_holds_the_package_and_in_it_the_pack_and_nothing_else(
    wheel: Path, checkout: Path
) -> None:
    package = files_of(checkout, "attnpack")
    pack = {
        f"attnpack/pack/{name}" for part in built.PACK_PARTS for name in files_of(checkout, part)
    }
    found = names(wheel)
    described = {name for name in found if ".dist-info/" in name}
    assert found - described == package | pack
    assert {PurePosixPath(name).name for name in described} == {
        "METADATA",
        "WHEEL",
        "RECORD",
        "entry_points.txt",
        "LICENSE",
    }


def test_the_wheel_holds_no_kind_of_file_that_nobody_expects(wheel: Path) -> None:
    paths = {PurePosixPath(name) for name in names(wheel) if ".dist-info/" not in name}
    assert {path for path in paths if path.suffix not in SHIPPED} == {
        PurePosixPath("attnpack/look/model/SHA256SUMS")
    }


def test_only_attnpack_lands_at_the_top_of_site_packages(wheel: Path) -> None:
    tops = {PurePosixPath(name).parts[0] for name in names(wheel)}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"attnpack"}


def test_the_wheel_is_small(wheel: Path) -> None:
    assert wheel.stat().st_size < LARGEST


def test_the_source_distribution_holds_all_that_a_clone_needs(sdist: Path, checkout: Path) -> None:
    with tarfile.open(sdist) as archive:
        inside = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    for part in built.SOURCES:
        assert files_of(checkout, part) <= inside


def test_another_build_elsewhere_gives_the_same_bytes(
    wheel: Path, checkout: Path, tmp_path: Path
) -> None:
    copy = built.copied_checkout(checkout, tmp_path / "elsewhere")
    again = built.build("wheel", copy, tmp_path / "again")
    assert again.name == wheel.name
    assert again.read_bytes() == wheel.read_bytes()


def test_the_source_distribution_builds_the_same_wheel(
    sdist: Path, wheel: Path, tmp_path: Path
) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    again = built.build("wheel", unpacked, tmp_path / "again")
    assert again.read_bytes() == wheel.read_bytes()
