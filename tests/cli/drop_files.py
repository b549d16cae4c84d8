#!/usr/bin/env python3
"""Drops pictures into a folder in all the ways that programs do: drop_files.py FOLDER COUNT."""
import os
import random
import sys
import time

folder, count = sys.argv[1], int(sys.argv[2])
random.seed(1)


def picture(number):
    width, height = 30 + number % 7, 20 + number % 5
    values = bytes((number * 31 + i * 7) % 256 for i in range(width * height * 3))
    return b"P6\n%d %d\n255\n" % (width, height) + values


def renamed(path, data):
    part = path + ".part"
    with open(part, "wb") as file:
        file.write(data)
    os.rename(part, path)


def copied(path, data):
    with open(path, "wb") as file:
        file.write(data)


def in_pieces(path, data):
    with open(path, "wb") as file:
        for at in range(0, len(data), 700):
            file.write(data[at : at + 700])
            file.flush()
            time.sleep(0.004)


def renamed_while_written(path, data):
    part = path + ".part"
    with open(part, "wb") as file:
        file.write(data[:900])
        file.flush()
        os.rename(part, path)
        time.sleep(0.01)
        file.write(data[900:])


def linked(path, data):
    part = os.path.join(folder, ".part")
    with open(part, "wb") as file:
        file.write(data)
    os.link(part, path)
    os.unlink(part)


def empty_first(path, data):
    open(path, "wb").close()
    time.sleep(0.002)
    with open(path, "r+b") as file:
        file.write(data)


def room_first(path, data):
    with open(path, "wb") as file:
        os.posix_fallocate(file.fileno(), 0, len(data))
        time.sleep(0.005)
        os.pwrite(file.fileno(), data, 0)


ways = [renamed, copied, in_pieces, renamed_while_written, linked, empty_first, room_first]
held = []
for number in range(count):
    path = os.path.join(folder, "file-%04d.ppm" % number)
    data = picture(number)
    if number % 100 == 50:  # these stay open for long, and half written
        file = open(path, "wb")
        file.write(data[:1000])
        file.flush()
        held.append((file, data[1000:]))
        continue
    ways[number % len(ways)](path, data)
    if number % 10 == 0:
        time.sleep(random.random() * 0.02)
for file, rest in held:
    time.sleep(0.05)
    file.write(rest)
    file.close()
