"""Filters against scipy, scikit-image and OpenCV, and the functions that are made of the filters' table."""

import inspect
import math
import subprocess
import sys

import numpy
import pytest

import glint

ndimage = pytest.importorskip("scipy.ndimage")
TYPES = ["uint8", "uint16", "float32"]


def near(result, expected, dtype):
    """Equal, but for one step of whole numbers, and rounding of floats."""
    expected = numpy.asarray(expected, "float64")
    if dtype == "float32":
        numpy.testing.assert_allclose(result, expected, rtol=0, atol=2e-6)
    else:
        expected = numpy.rint(numpy.clip(expected, 0, numpy.iinfo(dtype).max))
        assert numpy.abs(result.astype("float64") - expected).max() <= 1


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("border, mode", [("clamp", "nearest"), ("mirror", "mirror"), ("wrap", "grid-wrap")])
def test_gaussian_is_scipys(noise, dtype, border, mode):
    a = noise((41, 53), dtype)
    expected = ndimage.gaussian_filter(a.astype("float64"), 1.5, radius=math.ceil(3 * 1.5), mode=mode)
    near(glint.gaussian(a, 1.5, border=border), expected, dtype)


@pytest.mark.parametrize("dtype", TYPES)
def test_median_is_scipys(noise, dtype):
    a = noise((37, 29), dtype)
    expected = ndimage.median_filter(a, size=15, mode="mirror")
    numpy.testing.assert_array_equal(glint.median(a, 7, border="mirror"), expected)


def test_colours_are_filtered_each(noise):
    a = noise((24, 32, 3))
    expected = numpy.dstack([ndimage.minimum_filter(a[..., c], 5, mode="nearest") for c in range(3)])
    numpy.testing.assert_array_equal(glint.minimum(a, 2), expected)


def test_a_mask_is_rows_of_numbers(noise):
    a = noise((16, 20), "float32")
    mask = numpy.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]], "float32")
    expected = ndimage.correlate(a.astype("float64"), mask, mode="nearest")
    for form in (mask, mask.tolist(), "0 -1 0; -1 5 -1; 0 -1 0"):
        numpy.testing.assert_allclose(glint.convolve(a, form), expected, atol=1e-5)


def test_opencv(noise):
    cv2 = pytest.importorskip("cv2")
    a = noise((64, 48))
    numpy.testing.assert_array_equal(glint.equalize(a), cv2.equalizeHist(a))
    assert numpy.abs(glint.box(a, 5).astype(int) - cv2.blur(a, (5, 5), borderType=cv2.BORDER_REPLICATE)).max() <= 1
    limit, expected = cv2.threshold(a, 0, 255, cv2.THRESH_OTSU)
    numpy.testing.assert_array_equal(glint.otsu(a), expected)


def test_scikit_image(noise):
    skimage = pytest.importorskip("skimage")
    from skimage import filters, morphology  # noqa: F401

    a = noise((40, 44))
    numpy.testing.assert_array_equal(glint.dilate(a, 2), morphology.dilation(a, numpy.ones((5, 5)), mode="reflect"))
    f = noise((40, 44), "float32")
    expected = filters.unsharp_mask(f, radius=2, amount=0.7, preserve_range=True)
    inner = numpy.s_[9:-9, 9:-9]  # its Gaussian goes further, and mirrors otherwise
    numpy.testing.assert_allclose(glint.unsharp(f, 0.7, 2)[inner], expected[inner], atol=2e-2)
    assert skimage.__version__


def test_chain_is_its_filters_in_turn(noise):
    a = noise((30, 30), "float32")
    chain = glint.chain("gaussian=2,sharpen=0.8")
    assert glint.chain(chain.text).text == chain.text == str(chain)
    numpy.testing.assert_allclose(chain(a), glint.sharpen(glint.gaussian(a, 2), 0.8), atol=1e-6)


def test_results_have_their_own_size(noise):
    a = noise((20, 30, 3))
    assert glint.resize(a, scale=0.5).shape == (10, 15, 3)
    numpy.testing.assert_array_equal(glint.rotate(a), numpy.rot90(a, -1))
    numpy.testing.assert_array_equal(glint.crop(a, 7, 5, x=2, y=3), a[3:8, 2:9])
    numpy.testing.assert_array_equal(glint.flip(a, "both"), a[::-1, ::-1])


def test_every_filter_is_a_function():
    for row in glint.tables("filters"):
        function = getattr(glint, row["name"])
        assert function.__doc__.startswith(f"{row['name']}: {row['help']}")
        names = [name.rstrip("_") for name in inspect.signature(function).parameters]
        assert names[1 : 1 + len(row["parameters"])] == [parameter["name"] for parameter in row["parameters"]]


def test_defaults_are_the_tables(noise):
    a = noise((64, 64, 3))
    for name in ("median", "sobel", "clahe", "kuwahara", "vignette", "canny", "hue", "resize", "crop", "pad"):
        numpy.testing.assert_array_equal(getattr(glint, name)(a), glint.chain(name)(a), name)


def test_python_words_end_with_a_line(noise):
    a = noise((32, 32), "float32")
    numpy.testing.assert_array_equal(
        glint.anisotropic(a, 3, lambda_=0.1), glint.chain("anisotropic=3:lambda=0.1")(a))
    numpy.testing.assert_array_equal(glint.crop(a, 50, 50, in_="percent"), a[8:24, 8:24])


def test_texts_are_quoted(noise):
    a = noise((8, 8), "float32")
    numpy.testing.assert_allclose(glint.expr(a, "max(v, p1)", 0.5), numpy.maximum(a, 0.5))


def test_a_file_is_read_again(noise, tmp_path):
    a = noise((8, 8, 3))
    path = tmp_path / "it's, a:file.png"
    for value in (10, 200):
        glint.write(numpy.full_like(a, value), path)
        assert (glint.blend(a, path) == value).all()


def test_errors_are_exceptions_with_a_sentence(noise):
    a = noise((8, 8))
    with pytest.raises(glint.UsageError, match="sharpn.*sharpen") as caught:
        glint.chain("sharpn")
    assert isinstance(caught.value, (glint.Error, ValueError)) and caught.value.status == 2
    with pytest.raises(glint.UsageError, match="sigma"):
        glint.gaussian(a, -1)
    with pytest.raises(glint.UsageError, match="border"):
        glint.gaussian(a, border="sideways")
    with pytest.raises(glint.InputError, match="no-such"):
        glint.read("no-such.png")
    with pytest.raises(glint.UsageError, match="want \"cpu\""):
        glint.gaussian(a, device="")
    with pytest.raises(TypeError):
        glint.gaussian(a, sigmma=3)
    with pytest.raises(TypeError):
        glint.gaussian(a, [1, 2])


def test_filters_come_when_one_is_asked_for():
    code = """
import sys, glint
assert "glint.filters" not in sys.modules
assert callable(glint.median) and not hasattr(glint, "no_such_filter") and "gaussian" in dir(glint)
own = open
from glint import *
assert median is glint.median and open is own and glint.open is not own
"""
    subprocess.run([sys.executable, "-c", code], check=True)
