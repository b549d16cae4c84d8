#!/usr/bin/env python3
"""Makes the archives of test_archives.sh: pack.py FOLDER, whose pictures a.ppm, b.ppm and c.ppm are members."""
import io
import os
import sys
import tarfile
import zipfile

os.chdir(sys.argv[1])
pictures = {name: open(name, "rb").read() for name in ("a.ppm", "b.ppm", "c.ppm")}


def add(tar, name, data=b"", **facts):
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for fact, value in facts.items():
        setattr(info, fact, value)
    tar.addfile(info, io.BytesIO(data))


def fill(tar):
    """As webdataset has it: a sample's files share a stem."""
    add(tar, "./cats", type=tarfile.DIRTYPE)
    for number, (name, data) in enumerate(pictures.items()):
        add(tar, "./cats//%06d.ppm" % number, data)
        add(tar, "./cats/%06d.cls" % number, b"%d" % number)
        add(tar, "./cats/%06d.json" % number, b"{}")


for name, mode in (("plain.tar", "w"), ("zipped.tar.gz", "w:gz"), ("zipped.TGZ", "w:gz"), ("zipped.tar.xz", "w:xz"),
                   ("zipped.tar.bz2", "w:bz2")):
    for form in (tarfile.PAX_FORMAT,) if mode != "w" else (tarfile.USTAR_FORMAT,):
        with tarfile.open(name, mode, format=form) as tar:
            fill(tar)
with tarfile.open("gnu.tar", "w", format=tarfile.GNU_FORMAT) as tar:
    add(tar, "deep/" * 40 + "a.ppm", pictures["a.ppm"])
for name, method in (("stored.zip", zipfile.ZIP_STORED), ("deflated.zip", zipfile.ZIP_DEFLATED)):
    with zipfile.ZipFile(name, "w", method) as archive:
        for number, data in enumerate(pictures.values()):
            archive.writestr("cats/%06d.ppm" % number, data)
        archive.writestr("readme.txt", "words")

with tarfile.open("evil.tar", "w") as tar:
    add(tar, "good.ppm", pictures["a.ppm"])
    add(tar, "../outside.ppm", pictures["b.ppm"])
    add(tar, "cats/../../further.ppm", pictures["b.ppm"])
    add(tar, "/tmp/glint-absolute.ppm", pictures["b.ppm"])
    add(tar, "symbolic.ppm", type=tarfile.SYMTYPE, linkname="/etc/passwd")
    add(tar, "hard.ppm", type=tarfile.LNKTYPE, linkname="good.ppm")
    add(tar, "fifo.ppm", type=tarfile.FIFOTYPE)
    add(tar, "good.ppm", pictures["c.ppm"])
    add(tar, "broken.ppm", pictures["b.ppm"][:100])
    add(tar, "empty.ppm")
    add(tar, "last.ppm", pictures["c.ppm"])
with zipfile.ZipFile("evil.zip", "w") as archive:
    archive.writestr("good.ppm", pictures["a.ppm"])
    archive.writestr("../outside.ppm", pictures["b.ppm"])
    archive.writestr("/absolute.ppm", pictures["b.ppm"])

whole = open("plain.tar", "rb").read()
where = whole.index(b"000001.ppm")
open("cut.tar", "wb").write(whole[: whole.index(pictures["b.ppm"]) + 50])
packed = open("zipped.tar.gz", "rb").read()
open("cut.tar.gz", "wb").write(packed[: len(packed) * 3 // 4])
stored = bytearray(open("stored.zip", "rb").read())
stored[stored.index(pictures["b.ppm"]) + 60] ^= 1  # its checksum no longer fits
open("wrong.zip", "wb").write(stored)
# A member that is much larger than its zip.
with zipfile.ZipFile("bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    archive.writestr("bomb.ppm", b"P6\n9000 9000\n255\n" + bytes(9000 * 9000 * 3))
    archive.writestr("small.ppm", pictures["a.ppm"])
# A tar whose header says 8 GiB less a byte.
header = bytearray(tarfile.TarInfo("huge.ppm").tobuf(tarfile.USTAR_FORMAT))
header[124:136] = b"77777777777\0"
header[148:156] = b" " * 8
header[148:156] = b"%06o\0 " % sum(header)
open("huge.tar", "wb").write(bytes(header) + pictures["a.ppm"])
with tarfile.open("words.tar", "w") as tar:
    add(tar, "words.txt", b"words")
open("no.zip", "wb").write(b"this is no archive")
with tarfile.open("other.tar", "w") as tar:
    add(tar, "cats/000000.ppm", pictures["c.ppm"])
