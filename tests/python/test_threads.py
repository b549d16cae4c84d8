"""Many threads, forked processes, and the cache of plans."""

import gc
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy
import pytest

import glint


def test_threads_share_plans(noise):
    pictures = [noise((60 + i % 3, 70, 3), seed=i) for i in range(24)]
    chains = [glint.chain("gaussian=2,median=1"), glint.chain("sobel"), glint.chain("resize=40")]
    expected = [[chain(picture) for chain in chains] for picture in pictures]

    def work(number):
        picture = number % len(pictures)
        return [chain(pictures[picture]) for chain in chains]

    with ThreadPoolExecutor(8) as pool:
        for number, results in enumerate(pool.map(work, range(240))):
            for result, right in zip(results, expected[number % len(pictures)]):
                numpy.testing.assert_array_equal(result, right)


def test_threads_make_chains(noise):
    a = noise((20, 20))
    expected = {sigma: glint.gaussian(a, sigma) for sigma in range(1, 40)}

    def work(number):
        sigma = 1 + number % 39
        numpy.testing.assert_array_equal(glint.gaussian(a, sigma), expected[sigma])
        if number % 50 == 0:
            glint.forget()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(800)))


def test_other_threads_run_meanwhile(noise):
    """A long filter lets Python's other threads go on."""
    import threading

    a = noise((1500, 1500), "float32")
    counted = []
    going = threading.Event()

    def count():
        going.set()
        while going.is_set():
            counted.append(None)

    thread = threading.Thread(target=count)
    thread.start()
    going.wait()
    begin = len(counted)
    glint.nlmeans(a)
    passed = len(counted) - begin
    going.clear()
    thread.join()
    assert passed > 100


def test_threads_of_a_call(noise):
    a = noise((300, 300))
    expected = glint.gaussian(a, 3)
    glint.set_threads(1)
    try:
        assert glint.device("cpu")["threads"] == 1
        numpy.testing.assert_array_equal(glint.gaussian(a, 3), expected)
    finally:
        glint.set_threads(0)
    with pytest.raises(glint.UsageError, match="threads"):
        glint.set_threads(-1)


def test_forked_processes_begin_anew():
    program = """
import os, numpy, glint
a = numpy.arange(256, dtype="uint8").reshape(16, 16)
right = glint.gaussian(a, 2)
child = os.fork()
if child == 0:
    os._exit(0 if (glint.gaussian(a, 2) == right).all() else 1)
assert os.waitpid(child, 0)[1] == 0
assert (glint.gaussian(a, 2) == right).all()
"""
    assert subprocess.run([sys.executable, "-c", program], timeout=60).returncode == 0


def test_plans_end_with_their_chain(noise):
    a = noise((64, 64))
    for sigma in range(100):
        glint.chain(f"gaussian={1 + sigma / 100}")(a)
    gc.collect()
    with open("/proc/self/statm") as file:
        before = int(file.read().split()[1])
    for sigma in range(400):
        glint.chain(f"gaussian={1 + sigma / 400}")(a)
    with open("/proc/self/statm") as file:
        assert (int(file.read().split()[1]) - before) * os.sysconf("SC_PAGESIZE") < 32 << 20


def test_import_brings_no_library():
    program = "import sys, glint; print(sorted({'numpy', 'torch', 'json', 'tqdm', 'concurrent'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "[]\n"
