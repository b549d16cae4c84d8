"""How far the HDR rendering of a filtered file is from the filtered HDR rendering.

    python gain_map.py FOLDER && python gain_map_measure.py FOLDER GLINT

The former is glint's: of the filtered picture, before and after it was a JPEG of quality 100. The latter is numpy's
rendering, as PFM, filtered by glint; light below black counts as black. The difference of two values is a share of the
second, or of a tenth of white where that is more.
"""

import pathlib
import subprocess
import sys

import numpy

CHAINS = ["resize=160:120", "resize=400:300", "crop=x=37:y=21:width=150:height=101", "rotate=90", "rotate=7:inside"]


def write(path, image):
    path.write_bytes(b"PF\n%d %d\n-1\n" % image.shape[1::-1] + image[::-1].astype("<f4").tobytes())


def read(path):
    kind, size, scale, data = path.read_bytes().split(b"\n", 3)
    width, height = map(int, size.split())
    return numpy.frombuffer(data, "<f4" if float(scale) < 0 else ">f4").reshape(height, width, 3)[::-1]


def main(folder, glint):
    folder = pathlib.Path(folder)

    def batch(chain, source, to, *options):
        (folder / to).mkdir(exist_ok=True)
        files = sorted((folder / source).glob(f"??.{'jpg' if source in ('.', 'out') else 'exr' if source == 'light' else 'pfm'}"))
        kind = "jpg" if to == "out" else "exr" if to == "light" else "pfm"
        subprocess.run([glint, "batch", "--quiet", "-f", "--backend", "cpu", *options, chain, *files,
                        "-o", folder / to / ("{stem}." + kind)], check=True)

    def differences():
        parts = []
        for file in sorted((folder / "want").glob("??.pfm")):
            want, got = numpy.maximum(read(file), 0), numpy.maximum(read(folder / "got" / file.name), 0)
            parts.append((abs(got - want) / numpy.maximum(want, 0.1)).ravel())
        parts = 100 * numpy.concatenate(parts)
        return f" {parts.mean():.2f} % | {numpy.quantile(parts, 0.99):.2f} % | {parts.max():.2f} % |"

    (folder / "in").mkdir(exist_ok=True)
    for file in sorted(folder.glob("??.npy")):
        write(folder / "in" / f"{file.stem}.pfm", numpy.load(file))
    print("| chain | mean | 99 % of values | largest | as JPEG: mean | 99 % | largest |\n|---|---|---|---|---|---|---|")
    for hdr in [], ["--hdr"]:
        for chain in CHAINS + (["gaussian=2", "brightness=0.1,contrast=1.2"] if hdr else []):
            line = f"| `{'--hdr ' if hdr else ''}{chain}` |"
            batch(chain, "in", "want")
            batch(chain, ".", "light", *hdr)
            batch("", "light", "got")
            line += differences()
            batch(chain, ".", "out", "--quality", "100", *hdr)
            batch("", "out", "light")
            batch("", "light", "got")
            print(line + differences(), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
