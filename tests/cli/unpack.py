#!/usr/bin/env python3
"""unpack.py ARCHIVE FOLDER: prints the members of a tar or zip in their order, and unpacks them into the folder."""
import os
import sys
import tarfile
import zipfile

archive, folder = sys.argv[1:]
if zipfile.is_zipfile(archive):
    with zipfile.ZipFile(archive) as opened:
        assert opened.testzip() is None
        members = [(name, opened.read(name)) for name in opened.namelist()]
else:
    with tarfile.open(archive) as opened:
        for member in opened:
            assert member.isreg() and member.mode == 0o644 and member.uid == 0, member
        members = [(member.name, opened.extractfile(member).read()) for member in opened.getmembers()]
for name, data in members:
    print(name)
    os.makedirs(os.path.join(folder, os.path.dirname(name)), exist_ok=True)
    with open(os.path.join(folder, name), "wb") as to:
        to.write(data)
