"""Pictures that several tests begin with. Values are random, of a seed of their own."""

import pathlib

import numpy
import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture
def photo():
    return ROOT / "assets" / "photo.jpg"


@pytest.fixture
def noise():
    def make(shape, dtype="uint8", seed=1):
        random = numpy.random.default_rng(seed)
        if numpy.dtype(dtype).kind == "f":
            return random.random(shape, dtype)
        return random.integers(0, numpy.iinfo(dtype).max + 1, shape, dtype)

    return make
