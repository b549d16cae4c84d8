"""Tensors of a GPU: filtered there, on the caller's stream, without a byte between host and device."""

import numpy
import pytest

import glint

try:
    glint.device("cuda")
except glint.Error as error:
    pytest.skip(str(error), allow_module_level=True)

CHAIN = "gaussian=2,median=1,sharpen=0.5"


def moved():
    return glint.copied_bytes("to_device") + glint.copied_bytes("from_device")


# One filter of bytes, since the next ones of a chain make more of a value that rounds the other way.
@pytest.mark.parametrize("dtype, text", [("uint8", "gaussian=2"), ("float32", CHAIN)])
def test_torch(noise, dtype, text):
    torch = pytest.importorskip("torch")
    a = noise((2, 3, 120, 250), dtype)
    expected = glint.chain(text)(a, layout="NCHW")
    tensor = torch.from_numpy(a).cuda()
    before = moved()
    with torch.cuda.stream(torch.cuda.Stream()):
        doubled = tensor + 0
        result = glint.chain(text)(doubled) + 0
        torch.cuda.current_stream().synchronize()
    assert moved() == before and result.device == tensor.device
    apart = numpy.abs(result.cpu().numpy().astype("float64") - expected.astype("float64"))
    assert apart.max() <= (1 if dtype == "uint8" else 1e-5)
    assert dtype != "uint8" or numpy.count_nonzero(apart) <= apart.size / 1000


def test_cupy(noise):
    cupy = pytest.importorskip("cupy")
    a = noise((120, 250, 3))
    on_device = cupy.asarray(a)
    before = moved()
    with cupy.cuda.Stream(non_blocking=True):
        result = glint.chain(CHAIN)(cupy.ascontiguousarray(on_device[::-1]))
        back = result.get()
    assert isinstance(result, cupy.ndarray) and moved() == before
    assert numpy.abs(back.astype(int) - glint.chain(CHAIN)(numpy.ascontiguousarray(a[::-1]))).max() <= 1


def test_jax(noise):
    jax = pytest.importorskip("jax")
    if jax.default_backend() != "gpu":
        pytest.skip("JAX has no GPU here")
    a = noise((120, 250, 3), "float32")
    before = moved()
    result = glint.gaussian(jax.numpy.asarray(a), 2)
    assert moved() == before
    numpy.testing.assert_allclose(numpy.asarray(result), glint.gaussian(a, 2), atol=1e-5)


def test_cuda_array_interface(noise):
    cupy = pytest.importorskip("cupy")

    class Lent:
        def __init__(self, values):
            self.__cuda_array_interface__ = values.__cuda_array_interface__

    a = noise((50, 60))
    values, out = cupy.asarray(a), cupy.empty((50, 60), "uint8")
    cupy.cuda.Stream.null.synchronize()
    glint.invert(Lent(values), out=Lent(out))
    numpy.testing.assert_array_equal(out.get(), 255 - a)
    with pytest.raises(glint.UsageError, match="want out="):
        glint.invert(Lent(values))


def test_pixels_stay_where_they_are(noise):
    torch = pytest.importorskip("torch")
    tensor = torch.zeros((3, 8, 8), device="cuda")
    with pytest.raises(glint.UsageError, match="cuda:0"):
        glint.invert(tensor, device="cpu")
    a = noise((40, 50, 3))
    numpy.testing.assert_array_equal(glint.invert(a, device="cuda"), 255 - a)
