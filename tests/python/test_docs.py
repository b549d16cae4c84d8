"""Every snippet of docs/python.md runs, in a folder with the files that it names."""

import pathlib
import re
import shutil
import tarfile

import pytest

import glint

DOCUMENT = pathlib.Path(__file__).parents[2] / "docs" / "python.md"
SNIPPET = re.compile(r"(?:<!-- needs: (\w+) -->\n)?```python\n(.*?)```", re.S)
SNIPPETS = SNIPPET.findall(DOCUMENT.read_text())


def miss(need):
    if need == "display":
        pytest.skip("it waits for someone to close a window")
    torch = pytest.importorskip("torch") if need else None
    if need == "cuda":
        if not torch.cuda.is_available():
            pytest.skip("no GPU")
        glint.forget()


@pytest.mark.parametrize("need, code", SNIPPETS, ids=[f"{i}" for i in range(len(SNIPPETS))])
def test_snippet(need, code, photo, tmp_path, monkeypatch):
    miss(need)
    monkeypatch.chdir(tmp_path)
    shutil.copy(photo, "photo.jpg")
    pathlib.Path("pictures").mkdir()
    for i in range(3):
        shutil.copy(photo, f"pictures/{i}.jpg")
    with tarfile.open("pictures.tar", "w") as archive:
        archive.add("pictures")
    exec(compile(code, str(DOCUMENT), "exec"), {})


def test_snippets_are_found():
    assert len(SNIPPETS) >= 8
