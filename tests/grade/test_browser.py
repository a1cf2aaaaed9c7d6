"""The cohort's page in a real browser: headless Chromium, where there is one."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from sampled import one_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("chrome")
FILES = {
    "ada.py": "def softmax(scores): return scores\n",
    "bob_with_a_name_that_is_long_and_has_no_place_to_break_it.py": (
        "# fake: softmax failed row_sums softmax-over-queries\n"
        "# fake: scaled_dot_product_attention failed mask mask-after-softmax\n"
        "# says: <b>every column sums to 1</b> and the rows do not\n"
    ),
    "cid.py": "# fake: causal_mask error values raises\n",
    "dan.py": "# judge: faults\n",
}

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on the path")


@pytest.fixture
def out(graded: Callable[..., Path]) -> Path:
    return graded(FILES)


def shown(page: Path, width: int, script: str = "") -> str:
    """The document as the browser has it after running a script at its end."""
    assert CHROMIUM
    copy = page.with_name(f"shown-{page.name}")
    copy.write_text(page.read_text().replace("</body>", f"<script>{script}</script></body>"))
    command = [
        *(CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"),
        *(f"--window-size={width},900", f"--user-data-dir={page.parent / 'browser'}"),
        copy.as_uri(),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    copy.unlink()
    return done.stdout


MEASURE = "document.title = document.documentElement.scrollWidth + ' in ' + innerWidth;"


@pytest.mark.parametrize("width", one_of([500, 1400]))
@pytest.mark.parametrize("name", ["cohort.html", "feedback/cid.html"])
def test_no_page_is_wider_than_the_window(out: Path, name: str, width: int) -> None:
    found = re.search(r"<title>(\d+) in (\d+)</title>", shown(out / name, width, MEASURE))
    assert found
    assert int(found[1]) <= int(found[2])


CUT = """
  document.body.style.width = "%dpx";  // Chromium's window is never narrower than 500
  const wide = [...document.querySelectorAll(".scroll")]
    .filter(each => each.scrollWidth > each.clientWidth + 1)
    .map(each => each.getAttribute("aria-label") + ": " + each.scrollWidth);
  document.title = document.body.clientWidth + " [" + wide.join("; ") + "]";
"""


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_of_a_table_is_cut(graded: Callable[..., Path], tmp_path: Path, width: int) -> None:
    roster = tmp_path / "roster.csv"
    people = ["bob_with_a_name_that_is_long_and_has_no_place_to_break_it", "Nobody At All", "dan"]
    roster.write_text("name,login\n" + "".join(f"{name},{name}\n" for name in people))
    files = {**FILES, "one_that_is_no_archive_whatever_it_is_called_by_whom.zip": "no zip"}
    out = graded(files, roster=roster)
    dom = shown(out / "cohort.html", width, CUT % width)
    found = re.search(r"<title>(\d+) \[(.*)\]</title>", dom)
    assert found
    assert int(found[1]) == width
    assert found[2] == ""


def test_a_click_on_a_heading_sorts_the_students(out: Path) -> None:
    click = """
      const head = [...document.querySelectorAll("th button")].find(b => b.textContent === "score");
      head.click(); head.click();
      document.title = [...document.querySelectorAll("table[data-sortable] tbody tr")]
        .map(row => row.cells[2].textContent).join(" ");
    """
    dom = shown(out / "cohort.html", 1400, click)
    assert "<title>7 6 5 </title>" in dom
    assert dom.count('aria-sort="descending"') == 1


def test_without_its_script_the_page_says_the_same(out: Path) -> None:
    page = out / "cohort.html"
    text = re.sub(r"<script>.*?</script>", "", page.read_text(), flags=re.DOTALL)
    bare = page.with_name("bare.html")
    bare.write_text(text)
    words = [re.sub(r"<[^>]+>", " ", shown(p, 1400)).split() for p in (page, bare)]
    scripted = [word for word in words[0] if word in words[1]]
    assert [word for word in words[1] if word not in words[0]] == []
    assert len(scripted) >= len(words[1]) - 5
