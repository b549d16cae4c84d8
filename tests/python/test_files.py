"""Files, many of them, figures, scenes, and the window's way back."""

import contextlib
import io
import os
import signal
import stat
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path

import numpy
import pytest

import glint

Pillow = pytest.importorskip("PIL.Image")


def test_read_is_pillows(tmp_path, noise):
    a = noise((9, 11, 3))
    Pillow.fromarray(a).save(tmp_path / "a.png")
    image = glint.read(tmp_path / "a.png")
    numpy.testing.assert_array_equal(image, a)
    assert image.shape == a.shape and len(image.pages) == 1
    numpy.testing.assert_array_equal(glint.read((tmp_path / "a.png").read_bytes()), a)


def test_write_is_read_by_pillow(tmp_path, noise):
    a = noise((9, 11, 3))
    glint.write(a, str(tmp_path / "a.png"), effort=9)
    numpy.testing.assert_array_equal(Pillow.open(tmp_path / "a.png"), a)
    small, large = glint.encode(a, "jpeg", quality=20), glint.encode(a, "jpeg", quality=95, progressive=True)
    assert len(small) < len(large) and Pillow.open(io.BytesIO(large)).info.get("progressive")
    with pytest.raises(glint.UsageError, match="quality"):
        glint.write(a, tmp_path / "b.jpg", quality=1000)
    with pytest.raises(glint.UsageError, match="extension"):
        glint.write(a, tmp_path / "b.what")
    assert sorted(os.listdir(tmp_path)) == ["a.png"]


def test_metadata_stays(tmp_path, noise):
    exif = Pillow.Exif()
    exif[0x010E] = "a cat"
    Pillow.fromarray(noise((9, 11, 3))).save(tmp_path / "a.jpg", exif=exif)
    glint.write(glint.gaussian(glint.read(tmp_path / "a.jpg"), 2), tmp_path / "b.jpg")
    assert Pillow.open(tmp_path / "b.jpg").getexif()[0x010E] == "a cat"


def test_pages(tmp_path, noise):
    frames = [noise((6, 7), seed=seed) for seed in range(3)]
    first, *rest = map(Pillow.fromarray, frames)
    first.save(tmp_path / "a.tif", save_all=True, append_images=rest)
    pages = glint.invert(glint.read(tmp_path / "a.tif")).pages
    assert len(pages) == 3
    for page, frame in zip(pages, frames):
        numpy.testing.assert_array_equal(page, 255 - frame)


def test_notebooks_show_png(noise):
    for dtype, scale in (("uint8", 1), ("uint16", 1), ("float32", 255)):
        a = noise((5, 6, 3), dtype)
        shown = numpy.asarray(Pillow.open(io.BytesIO(glint.Image(a)._repr_png_())))
        if dtype != "uint16":
            numpy.testing.assert_array_equal(shown, numpy.rint(a.astype("float64") * scale))


def test_compare(noise):
    a = noise((20, 30, 3)) // 2
    b = a.copy()
    b[7, 4, 1] += 30
    figures = glint.compare(a, b)
    assert (figures.max, figures.differing, figures.x, figures.y) == (30, 1, 4, 7)
    assert figures.psnr == pytest.approx(10 * numpy.log10(255**2 / (30**2 / a.size)))
    assert glint.compare(a, a).psnr == float("inf") and glint.compare(a, a).ssim == 1
    assert 0 == glint.compare(a, a).flip < figures.flip < glint.compare(a, 255 - a).flip < 1
    with pytest.raises(glint.UsageError, match="differ"):
        glint.compare(a, a[:5])


# ---- many files ----


@pytest.fixture
def folder(tmp_path, noise):
    place = tmp_path / "in"
    place.mkdir()
    pictures = {f"{i}.png": noise((8, 9, 3), seed=i) for i in range(7)}
    for name, picture in pictures.items():
        Pillow.fromarray(picture).save(place / name)
    (place / "notes.txt").write_text("no picture")
    return place, pictures


def test_batch_writes(folder, tmp_path):
    place, pictures = folder
    paths = glint.batch("invert", place, tmp_path / "out" / "{stem}-{chain}.{ext}")
    assert [os.path.basename(path) for path in paths] == [f"{i}-invert.png" for i in range(7)]
    for path, picture in zip(paths, pictures.values()):
        numpy.testing.assert_array_equal(Pillow.open(path), 255 - picture)
    assert glint.batch("invert", [place / "1.png"], f"{tmp_path}/new/") == [f"{tmp_path}/new/1.png"]


def test_batch_gives_pictures_in_order(folder, tmp_path):
    place, pictures = folder
    with tarfile.open(tmp_path / "a.tar", "w") as archive:
        archive.add(place, "in")
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for path in sorted(place.iterdir()):
            archive.write(path, path.name)
    for inputs in (place, [place], sorted(place.glob("*.png")), tmp_path / "a.tar", tmp_path / "a.zip",
                   ((name, (place / name).read_bytes()) for name in pictures)):
        results = {os.path.basename(name): image for name, image in glint.batch("invert", inputs, threads=2)}
        assert sorted(results) == sorted(pictures)
        for name, picture in pictures.items():
            numpy.testing.assert_array_equal(results[name], 255 - picture)


def test_batch_fails_by_name(folder, tmp_path):
    place, pictures = folder
    (place / "3.png").write_bytes((place / "3.png").read_bytes()[:60])
    with pytest.raises(glint.InputError, match="3.png"):
        glint.batch("invert", place, f"{tmp_path}/out/")
    assert len(glint.batch("invert", place, f"{tmp_path}/out/", on_error="skip")) == 6
    with pytest.raises(glint.UsageError, match="it is an input"):
        glint.batch("invert", place / "1.png", place)
    numpy.testing.assert_array_equal(Pillow.open(place / "1.png"), pictures["1.png"])
    with pytest.raises(glint.UsageError, match="template"):
        glint.batch("invert", place / "1.png", tmp_path / "{what}.png")
    with pytest.raises(glint.UsageError, match="on_error"):
        glint.batch("invert", place, on_error="shout")


def test_batch_shows_a_bar(folder, capsys):
    pytest.importorskip("tqdm")
    list(glint.batch("invert", folder[0], progress=True))
    assert "7" in capsys.readouterr().err
    list(glint.batch("invert", folder[0]))
    assert capsys.readouterr().err == ""


# ---- files of strangers ----


def servers():
    """The processes that this one has started."""
    found = set()
    for task in os.listdir("/proc/self/task"):
        with contextlib.suppress(FileNotFoundError):  # the thread has ended meanwhile
            found |= {int(pid) for pid in Path(f"/proc/self/task/{task}/children").read_text().split()}
    return found


def test_sandbox_decodes_the_same(folder, tmp_path):
    place, pictures = folder
    before = servers()
    box = glint.sandbox(30)
    assert len(servers() - before) == 1
    for name, picture in pictures.items():
        numpy.testing.assert_array_equal(glint.read(place / name, sandbox=box), picture)
        numpy.testing.assert_array_equal(glint.read((place / name).read_bytes(), sandbox=box), picture)
    del box
    assert servers() == before
    box = glint.sandbox()
    (place / "3.png").write_bytes((place / "3.png").read_bytes()[:60])
    with pytest.raises(glint.InputError, match="3.png"):
        glint.batch("invert", place, f"{tmp_path}/out/", sandbox=box)
    assert len(glint.batch("invert", place, f"{tmp_path}/out/", sandbox=box, on_error="skip")) == 6
    numpy.testing.assert_array_equal(Pillow.open(tmp_path / "out" / "5.png"), 255 - pictures["5.png"])


def test_sandbox_is_another_process(tmp_path, monkeypatch):
    """tests/helpers/taken_over.c answers black where the decoder has given up its rights, and hangs for an h."""
    helpers = os.environ.get("GLINT_TEST_HELPERS")
    if not helpers:
        pytest.skip("GLINT_TEST_HELPERS is not set")
    monkeypatch.setenv("LD_PRELOAD", f"{helpers}/taken_over.so")
    box = glint.sandbox(1)
    assert not numpy.asarray(glint.read(b"P6\n4 1\n255\nxbcdefghijkl", sandbox=box)).any()
    with pytest.raises(glint.InputError, match="the decoder's answer makes no sense"):
        glint.read(b"P6\n4 1\n255\ntbcdefghijkl", sandbox=box)
    with pytest.raises(glint.InputError, match="longer than 1 s"):
        glint.read(b"P6\n4 1\n255\nhbcdefghijkl", sandbox=box)


def test_sandbox_ends(folder, monkeypatch):
    before = servers()
    box = glint.sandbox()
    for pid in servers() - before:
        os.kill(pid, signal.SIGKILL)
    with pytest.raises(glint.DeviceError):
        glint.read(folder[0] / "1.png", sandbox=box)
    with pytest.raises(glint.UsageError, match="0 seconds"):
        glint.sandbox(0)
    with pytest.raises(glint.UsageError, match="want one of glint.sandbox"):
        glint.read(folder[0] / "1.png", sandbox=60)
    monkeypatch.setattr(sys, "executable", "")
    with pytest.raises(glint.UsageError, match="sys.executable"):
        glint.sandbox()


def test_sandbox_ends_with_its_process():
    program = "import glint, os, time; box = glint.sandbox(); pid = os.getpid()\n" \
              "print(open(f'/proc/{pid}/task/{pid}/children').read(), flush=True); time.sleep(600)"
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    server = int(process.stdout.readline())
    process.kill()
    process.wait()
    for _ in range(600):
        if not os.path.exists(f"/proc/{server}"):
            return
        time.sleep(0.1)
    raise AssertionError("the server outlives its process")


# ---- scenes ----


def test_spheres():
    xyz = numpy.array([[0, 0, 0], [3, 0, 0]], "float32")
    scene = glint.spheres(xyz, 1, [[1, 0, 0], [0, 1, 0]])
    picture = numpy.asarray(scene.classic(size=(200, 100)))
    assert picture.shape == (100, 200, 3)
    red, green = picture[..., 0].astype(int), picture[..., 1].astype(int)
    columns = numpy.arange(200)
    where_red, where_green = (red > green + 50).any(0), (green > red + 50).any(0)
    assert where_red.any() and where_green.any() and columns[where_red].max() < columns[where_green].min()
    same = glint.spheres(xyz.tolist(), [1, 1], [(1, 0, 0), (0, 1, 0)]).classic(size=(200, 100))
    numpy.testing.assert_array_equal(same, picture)


def test_paths():
    shares = []
    scene = glint.spheres([[0, 0, 0]], materials=["metal"], material=[1])
    picture = scene.paths(samples=4, denoise=True, size=(32, 24), progress=shares.append)
    assert picture.shape == (24, 32, 3) and picture.dtype == "uint8"
    assert scene.paths(samples=1, size=(8, 8), floats=True).dtype == "float32"
    assert all(0 <= share <= 1 for share in shares)


def test_progress_ends_a_trace():
    def stop(share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        glint.scene("spheres=count=50").paths(samples=512, size=(256, 256), progress=stop)


def test_wrong_spheres():
    with pytest.raises(glint.UsageError, match="radius"):
        glint.spheres([[0, 0, 0]], [1, 2])
    with pytest.raises(glint.Error):
        glint.spheres([[0, 0, float("nan")]])
    with pytest.raises(glint.Error):
        glint.scene("no-such-scene")


# ---- the window ----


def test_show_returns_the_chain(tmp_path, noise):
    program = tmp_path / "glint"
    program.write_text(
        "#!/bin/sh\n[ \"$1 $2\" = 'view --' ] && cp \"$3\" seen.png\n"
        'printf "glint edits 1\\nshown = 2\\nedit = as it began\\nfilter =\\nedit = add\\nfilter = gaussian=3\\n" >"$3.glint"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    before = os.getcwd()
    os.chdir(tmp_path)
    try:
        a = noise((9, 9, 3))
        assert glint.show(a, program=str(program)).text == glint.chain("gaussian=3").text
        numpy.testing.assert_array_equal(Pillow.open("seen.png"), a)
    finally:
        os.chdir(before)
    (tmp_path / "photo.jpg.glint").write_text(
        "glint edits 1\nlinear = yes\nedit = one\nfilter = median=2\nborder = mirror\nedit = two\nfilter = sobel\n")
    chain = glint.chain(f"@{tmp_path}/photo.jpg.glint")
    expected = glint.chain("median=2", border="mirror", linear=True)
    numpy.testing.assert_array_equal(chain(a), expected(a))
    (tmp_path / "other.glint").write_text("something else")
    with pytest.raises(glint.InputError, match="first line"):
        glint.chain(f"@{tmp_path}/other.glint")
    with pytest.raises(glint.DeviceError, match="no program"):
        glint.show(a, program=str(tmp_path / "none"))


def test_show_in_a_browser(tmp_path, noise):
    program = tmp_path / "glint"
    program.write_text(
        "#!/bin/sh\n[ \"$1 $2 $3\" = 'view --serve --filter' ] || { echo no >&2; exit 2; }\n"
        "trap 'printf \"glint edits 1\\nedit = one\\nfilter = sobel\\n\" >\"$6.glint\"; exit 0' TERM\n"
        "echo 'http://127.0.0.1:9/?token=a&b'\nwhile :; do sleep 0.05; done\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    window = glint.show(noise((9, 9, 3)), "median=2", program=str(program), serve=True)
    assert window.address == "http://127.0.0.1:9/?token=a&b"
    assert 'src="http://127.0.0.1:9/?token=a&amp;b"' in window._repr_html_()
    folder = Path(window._path).parent
    assert folder.is_dir()
    assert window.close().text == glint.chain("sobel").text
    assert window.close() is None and not folder.exists()
    with pytest.raises(glint.DeviceError, match="no$"):
        glint.show(noise((9, 9, 3)), program=str(program), serve=True)
