"""A newer pack in an older workspace: what the learner edited is never touched."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from commands import attnpack, flat

from attnpack import pack, workspace
from attnpack.terms import Backend
from attnpack.workspace import stubs

if TYPE_CHECKING:
    from pathlib import Path


def grow_old(root: Path, *files: str) -> None:
    """As if the workspace had been made by an older pack, whose stubs of `files` were others."""
    here = workspace.needed(root)
    old = dict(here.state.stubs)
    for file in files:
        (root / file).write_text("# an older stub\n", encoding="utf-8")
        old[file] = stubs.digest("# an older stub\n")
    here.saved(replace(here.state, pack="sha256:older", stubs=old))


def stub(file: str) -> str:
    return stubs.stub_text(pack.load(), Backend.NUMPY, file)


def test_a_workspace_of_this_pack_is_up_to_date(here: Path) -> None:
    result = attnpack("update")
    assert result.exit_code == 0
    assert "up to date" in result.output


def test_an_older_stub_that_nobody_changed_is_renewed(here: Path) -> None:
    grow_old(here, "softmax.py")
    result = attnpack("update")
    assert "Renewed, as you had not changed them: softmax.py." in flat(result.output)
    assert (here / "softmax.py").read_text(encoding="utf-8") == stub("softmax.py")


def test_an_edited_file_is_kept_and_the_way_to_its_new_stub_is_told(here: Path) -> None:
    grow_old(here, "self_attention.py")
    (here / "self_attention.py").write_text("mine = 1\n")
    result = attnpack("update")
    assert "Kept as you have them" in result.output
    assert "attnpack reset SelfAttention" in flat(result.output)
    assert (here / "self_attention.py").read_text() == "mine = 1\n"


def test_an_edited_file_whose_stub_is_the_same_is_not_mentioned(here: Path) -> None:
    grow_old(here, "softmax.py")
    (here / "causal_mask.py").write_text("mine = 1\n")
    result = attnpack("update")
    assert "causal_mask" not in result.output
    assert (here / "causal_mask.py").read_text() == "mine = 1\n"


def test_a_missing_file_is_brought_in(here: Path) -> None:
    grow_old(here)
    (here / "softmax.py").unlink()
    assert "New: softmax.py." in attnpack("update").output
    assert (here / "softmax.py").read_text(encoding="utf-8") == stub("softmax.py")


def test_unknown_files_are_left_alone(here: Path) -> None:
    grow_old(here, "softmax.py")
    (here / "my_notes.py").write_text("mine = 1\n")
    attnpack("update")
    assert (here / "my_notes.py").read_text() == "mine = 1\n"


def test_an_update_is_done_once(here: Path) -> None:
    grow_old(here, "softmax.py")
    attnpack("update")
    assert workspace.needed(here).state.pack == pack.load().fingerprint()
    assert "up to date" in attnpack("update").output


def test_a_kept_file_is_still_known_as_edited_at_the_next_update(here: Path) -> None:
    grow_old(here, "softmax.py")
    (here / "softmax.py").write_text("mine = 1\n")
    attnpack("update")
    found = workspace.needed(here)
    found.saved(replace(found.state, pack="sha256:older"))
    attnpack("update")
    assert (here / "softmax.py").read_text() == "mine = 1\n"
