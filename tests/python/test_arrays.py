"""Arrays of other libraries: types, strides, layouts, results of the same kind, and copies that are counted."""

import array

import numpy
import pytest

import glint


def test_kinds_stay(noise):
    a = noise((6, 8, 3))
    assert type(glint.invert(a)) is numpy.ndarray
    view = glint.invert(memoryview(a))
    assert type(view) is memoryview and view.shape == a.shape and view.format == "B"
    numpy.testing.assert_array_equal(view, 255 - a)
    image = glint.invert(glint.Image(a))
    assert type(image) is glint.Image and image.shape == (6, 8, 3) and image.dtype == "uint8"
    numpy.testing.assert_array_equal(image, 255 - a)


def test_a_buffer_needs_no_numpy():
    floats = memoryview(array.array("f", [0, 0.25, 0.5, 1])).cast("B").cast("f", (2, 2))
    assert glint.invert(floats).tolist() == [[1, 0.75], [0.5, 0]]


@pytest.mark.parametrize("dtype", ["int8", "float64", "bool", "int32", ">u2", "complex64"])
def test_other_types_are_refused(dtype):
    with pytest.raises(glint.UsageError, match="want uint8, uint16, or float32"):
        glint.invert(numpy.zeros((4, 4), dtype))


def test_strides(noise):
    whole = noise((20, 30, 4))
    for part in (whole[2:11, 3:17], whole[::-1], whole[:, ::-2], whole[..., ::-1], whole[..., :3], whole[..., 1],
                 whole.transpose(1, 0, 2), numpy.asfortranarray(whole)):
        expected = glint.chain("median=1", alpha="ignore")(numpy.ascontiguousarray(part))
        numpy.testing.assert_array_equal(glint.median(part, 1, alpha="ignore"), expected)


def test_repeated_values_are_refused(noise):
    with pytest.raises(glint.UsageError, match="stride of 0"):
        glint.invert(numpy.broadcast_to(noise((1, 8)), (4, 8)))
    numpy.testing.assert_array_equal(glint.invert(noise((1, 8))[:, :1]), 255 - noise((1, 8))[:, :1])


@pytest.mark.parametrize("layout, axes", [("HWC", (0, 1, 2)), ("CHW", (2, 0, 1)), ("WHC", (1, 0, 2))])
def test_layouts(noise, layout, axes):
    a = noise((12, 17, 3), "float32")
    result = glint.gaussian(a.transpose(axes), 2, layout=layout)
    back = result.transpose(numpy.argsort(axes))
    numpy.testing.assert_array_equal(back, glint.gaussian(a, 2))


@pytest.mark.parametrize("layout", ["NHWC", "NCHW"])
def test_stacks(noise, layout):
    a = noise((5, 12, 17, 3))
    expected = numpy.stack([glint.median(picture, 2) for picture in a])
    given = a if layout == "NHWC" else numpy.ascontiguousarray(a.transpose(0, 3, 1, 2))
    result = glint.median(given, 2, layout=layout)
    numpy.testing.assert_array_equal(result if layout == "NHWC" else result.transpose(0, 2, 3, 1), expected)


def test_gray_stack(noise):
    a = noise((3, 9, 9))
    with pytest.raises(glint.UsageError, match="9 channels"):
        glint.invert(a)
    numpy.testing.assert_array_equal(glint.invert(a, layout="NHW"), 255 - a)


@pytest.mark.parametrize("layout", ["HW", "HHW", "XHW", "HWCN", "NC", ""])
def test_wrong_layouts(noise, layout):
    with pytest.raises(glint.UsageError, match="layout"):
        glint.invert(noise((3, 9, 9)), layout=layout)


def test_wrong_axes():
    for shape in ((4,), (1, 1, 1, 1, 1), (0, 4), (4, 0, 3)):
        with pytest.raises(glint.UsageError, match="axes|axis"):
            glint.invert(numpy.zeros(shape, "uint8"))
    with pytest.raises(glint.UsageError, match="without pixels"):
        glint.invert(object())


def test_out(noise):
    a = noise((10, 12, 3))
    out = numpy.empty_like(a)
    assert glint.gaussian(a, 2, out=out) is out
    numpy.testing.assert_array_equal(out, glint.gaussian(a, 2))
    place = a.copy()
    assert glint.gaussian(place, 2, out=place) is place
    numpy.testing.assert_array_equal(place, out)
    with pytest.raises(glint.UsageError, match="out: want 12 x 10 pixels, 3 channels of uint8"):
        glint.invert(a, out=numpy.empty((10, 12, 4), "uint8"))
    with pytest.raises(glint.UsageError, match="out"):
        glint.invert(a, out=numpy.empty((10, 12, 3), "uint16"))
    out.flags.writeable = False
    with pytest.raises((BufferError, ValueError)):
        glint.invert(a, out=out)
    a.flags.writeable = False
    glint.invert(a)


def test_copies_are_counted(noise):
    a = noise((64, 64, 3), "float32")
    before = glint.copied_bytes()
    glint.gaussian(a, 2)
    glint.gaussian(a[8:40, 8:40], 2)
    assert glint.copied_bytes() == before
    swapped = a[..., ::-1]
    glint.gaussian(swapped, 2, out=numpy.empty_like(a))
    assert glint.copied_bytes("rearranged") - before >= a.nbytes
    assert glint.copied_bytes("to_device") == 0
    with pytest.raises(KeyError):
        glint.copied_bytes("sideways")


def test_subclasses(noise):
    class Mine(numpy.ndarray):
        pass

    a = noise((5, 5)).view(Mine)
    assert type(glint.invert(a)) is Mine


def test_dlpack_of_images(noise):
    a = noise((7, 9, 3), "uint16")
    image = glint.Image(a)
    assert image.__dlpack_device__() == (1, 0)
    shared = numpy.from_dlpack(image)
    del image
    numpy.testing.assert_array_equal(shared, a)
    gray = glint.Image(a[..., 0])
    assert numpy.from_dlpack(gray).shape == (7, 9)
    capsule = gray.__dlpack__()  # is freed although nobody takes it
    del capsule


def test_dlpack_of_others(noise):
    class Lent:
        def __init__(self, values):
            self.values = values

        def __dlpack__(self, **how):
            return self.values.__dlpack__(**how)

        def __dlpack_device__(self):
            return self.values.__dlpack_device__()

    a = noise((7, 9, 3))
    numpy.testing.assert_array_equal(glint.invert(Lent(a[::2])), 255 - a[::2])
    with pytest.raises(glint.UsageError, match="int32"):
        glint.invert(Lent(numpy.zeros((3, 3), "int32")))


def test_torch(noise):
    torch = pytest.importorskip("torch")
    a = noise((2, 3, 20, 30), "float32")
    expected = glint.gaussian(a, 2, layout="NCHW")
    tensor = torch.from_numpy(a)
    result = glint.gaussian(tensor, 2)
    assert isinstance(result, torch.Tensor) and result.dtype == torch.float32
    numpy.testing.assert_array_equal(result.numpy(), expected)
    numpy.testing.assert_array_equal(glint.resize(tensor[0], 15).numpy(), glint.resize(a[0], 15, layout="CHW"))
    last = tensor.contiguous(memory_format=torch.channels_last)
    result = glint.gaussian(last, 2)
    assert result.is_contiguous(memory_format=torch.channels_last)
    numpy.testing.assert_array_equal(result.numpy(), expected)
    assert torch.from_dlpack(glint.Image(a[0], layout="CHW")).shape == (20, 30, 3)


def test_jax(noise):
    jax = pytest.importorskip("jax")
    a = noise((20, 30, 3), "float32")
    result = glint.gaussian(jax.numpy.asarray(a), 2)
    assert isinstance(result, jax.Array)
    numpy.testing.assert_array_equal(numpy.asarray(result), glint.gaussian(a, 2))
    assert jax.numpy.from_dlpack(glint.Image(a)).shape == a.shape
