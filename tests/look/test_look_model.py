from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from faulty_attention import ATTENTIONS

from attnpack.errors import OwnFaultError
from attnpack.look.model import heads, host_model
from attnpack.look.model.attention import reference
from attnpack.look.pictures.effect import held_out

if TYPE_CHECKING:
    from attnpack.look.model.host_model import HostModel

SHIPPED = Path(str(files("attnpack.look"))) / "model"
LOSS_SLACK = 1e-3


def best(model: HostModel, kind: str) -> float:
    return max(head.scores[kind] for head in model.heads)


def test_the_shipped_scores_are_those_measured_now(model: HostModel) -> None:
    for shipped, measured in zip(model.heads, heads.measure(model), strict=True):
        assert (shipped.layer, shipped.head) == (measured.layer, measured.head)
        assert shipped.scores == pytest.approx(measured.scores, abs=2e-3)


def test_one_head_looks_at_the_previous_token_and_one_does_induction(model: HostModel) -> None:
    assert best(model, "previous-token") >= 0.8
    assert best(model, "induction") >= 0.9


def test_the_shipped_loss_is_the_one_measured_now(model: HostModel) -> None:
    measured = model.loss(held_out(model), reference(model.recipe.num_heads))
    assert measured == pytest.approx(model.story_loss, abs=LOSS_SLACK)


@pytest.mark.parametrize(
    "fault", [name for name in ATTENTIONS if name not in ("right", "not finite")]
)
def test_every_fault_in_attention_costs_loss(model: HostModel, fault: str) -> None:
    assert model.loss(held_out(model), ATTENTIONS[fault]) > model.story_loss + 0.1


def test_a_repeat_is_easier_to_predict_than_the_first_time(model: HostModel) -> None:
    ids = heads.repeated_ids(model)
    logits = model.logits(ids[:, :-1], reference(model.recipe.num_heads))
    half = ids.shape[1] // 2
    first = host_model.cross_entropy(logits[:, : half - 1], ids[:, 1:half])
    again = host_model.cross_entropy(logits[:, half:], ids[:, half + 1 :])
    assert again < 0.5 * first


def test_later_tokens_do_not_change_earlier_logits(model: HostModel) -> None:
    ids = held_out(model)[:1]
    whole = model.logits(ids, reference(model.recipe.num_heads))
    part = model.logits(ids[:, :20], reference(model.recipe.num_heads))
    np.testing.assert_allclose(whole[:, :20], part, atol=1e-9)


def test_all_that_is_shipped_is_under_one_and_a_half_megabytes() -> None:
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) < 1_500_000


def test_a_damaged_file_is_our_fault_and_named(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(SHIPPED, folder)
    (folder / host_model.VOCABULARY).write_text("cat\n")
    with pytest.raises(OwnFaultError, match=r"vocabulary\.txt is damaged"):
        host_model.read(folder)


def test_a_missing_file_is_our_fault_too(tmp_path: Path) -> None:
    with pytest.raises(OwnFaultError, match="Reinstall attnpack"):
        host_model.read(tmp_path)


def test_running_the_model_imports_neither_torch_nor_matplotlib() -> None:
    code = (
        "import sys; from attnpack.look.model import host_model; host_model.load();"
        "sys.exit(any(name in sys.modules for name in ('torch', 'matplotlib')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
