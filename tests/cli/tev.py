"""tev.py: the other end of tev's protocol, read and written by hand (tev: Ipc.h).

tev.py listen FOLDER [leave]: prints its port, takes one connection, and writes pictures as FOLDER/N.pfm at its end, in the
order of their creation. FOLDER/log has a line a packet. "leave" closes the connection at once.
tev.py send PORT FILE...: sends files of packets over one connection.
tev.py update PORT NAME WIDTH HEIGHT [VALUE...]: creates a picture with focus, and for each value fills it with that.
tev.py pbrt PORT TITLE WIDTH HEIGHT PASSES FILE: sends as pbrt-v4 does (src/pbrt/util/display.cpp); FILE gets the last pass."""
import os
import socket
import struct
import sys


class Packet:
    def __init__(self, data):
        self.data, self.at = data, 4

    def take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values[0] if len(values) == 1 else values

    def text(self):
        end = self.data.index(0, self.at)
        text = self.data[self.at:end].decode()
        self.at = end + 1
        return text


class Picture:
    def __init__(self, width, height, channels):
        self.width, self.height, self.channels = width, height, channels
        self.values = [0.0] * (width * height * len(channels))

    def put(self, x, y, width, height, names, offsets, strides, values):
        for name, offset, stride in zip(names, offsets, strides):
            c = self.channels.index(name)
            for i in range(width * height):
                to = ((y + i // width) * self.width + x + i % width) * len(self.channels) + c
                self.values[to] = values[offset + i * stride]

    def save(self, path):
        row = self.width * len(self.channels)
        with open(path, "wb") as file:
            file.write(b"%s\n%d %d\n-1.0\n" % (b"PF" if len(self.channels) == 3 else b"Pf", self.width, self.height))
            for y in reversed(range(self.height)):
                file.write(struct.pack("<%df" % row, *self.values[y * row:(y + 1) * row]))


def take_packet(packet, pictures):
    kind = packet.take("B")
    focus = packet.take("B") if kind != 2 else 0
    name = packet.text()
    if kind == 7:
        return f"open {name} {packet.text()}"
    if kind == 4:
        width, height, count = packet.take("iii")
        channels = [packet.text() for _ in range(count)]
        pictures[name] = Picture(width, height, channels)
        return f"create {name} {width} {height} {','.join(channels)} {focus}"
    if kind == 6:
        count = packet.take("i")
        names = [packet.text() for _ in range(count)]
        x, y, width, height = packet.take("iiii")
        places = [packet.take("q") for _ in range(2 * count)]
        values = struct.unpack_from("<%df" % ((len(packet.data) - packet.at) // 4), packet.data, packet.at)
        pictures[name].put(x, y, width, height, names, places[:count], places[count:], values)
        return f"update {name} {x} {y} {width} {height}"
    return f"type {kind}"


def listen(folder, leave):
    server = socket.create_server(("127.0.0.1", 0))
    server.settimeout(120)
    print(server.getsockname()[1], flush=True)
    connection = server.accept()[0]
    if leave:
        return
    data = b""
    while True:
        got = connection.recv(1 << 20)
        if not got:
            break
        data += got
    pictures, at = {}, 0
    with open(f"{folder}/log", "w") as log:
        while at < len(data):
            length = struct.unpack_from("<I", data, at)[0]
            assert at + length <= len(data), "it ends within a packet"
            print(take_packet(Packet(data[at:at + length]), pictures), file=log)
            at += length
    for number, picture in enumerate(pictures.values()):
        picture.save(f"{folder}/{number}.pfm")


def packet_of(kind, body):
    return struct.pack("<IB", len(body) + 5, kind) + body


def update(port, name, width, height, values):
    part = name.encode() + b"\0"
    channels = struct.pack("<i", 3) + b"R\0G\0B\0"
    with socket.create_connection(("127.0.0.1", port)) as to:
        to.sendall(packet_of(4, b"\1" + part + struct.pack("<ii", width, height) + channels))
        for value in values:
            pixels = struct.pack("<f", value) * (3 * width * height)
            to.sendall(packet_of(5, b"\0" + part + channels + struct.pack("<iiii", 0, 0, width, height) + pixels))


def send(port, files):
    with socket.create_connection(("127.0.0.1", port)) as to:
        for name in files:
            with open(name, "rb") as file:
                to.sendall(file.read())


def light(x, y, c, samples):
    """A value of pbrt's picture: its lower right is black, and more samples make it brighter."""
    return 0.0 if x >= 256 and y >= 128 else (1 + c + x % 7 + 3 * (y % 5)) * samples / 64


def pbrt(port, title, width, height, passes, path):
    """A connection for all passes. A packet has one channel of a tile, type 3, and no number of channels. Packets whose
    values are as the tile's last ones, at first zeros, are left out."""
    side, name, sent = 128, f"{title} ({os.getpid()})".encode() + b"\0", {}
    with socket.create_connection(("127.0.0.1", port)) as to:
        to.sendall(packet_of(4, b"\1" + name + struct.pack("<iii", width, height, 3) + b"R\0G\0B\0"))
        for samples in range(1, passes + 1):
            for y in range(0, height, side):
                for x in range(0, width, side):
                    w, h = min(side, width - x), min(side, height - y)
                    for c, channel in enumerate(b"RGB"):
                        values = [light(x + i % w, y + i // w, c, samples) for i in range(w * h)]
                        if values != sent.get((x, y, c), [0.0] * (w * h)):
                            to.sendall(packet_of(3, b"\0" + name + bytes([channel, 0]) + struct.pack("<iiii", x, y, w, h) +
                                                 struct.pack("<%df" % (w * h), *values)))
                            sent[x, y, c] = values
    picture = Picture(width, height, ["R", "G", "B"])
    picture.values = [light(x, y, c, passes) for y in range(height) for x in range(width) for c in range(3)]
    picture.save(path)


if sys.argv[1] == "listen":
    listen(sys.argv[2], len(sys.argv) > 3)
elif sys.argv[1] == "send":
    send(int(sys.argv[2]), sys.argv[3:])
elif sys.argv[1] == "pbrt":
    pbrt(int(sys.argv[2]), sys.argv[3], *map(int, sys.argv[4:7]), sys.argv[7])
else:
    update(int(sys.argv[2]), sys.argv[3], int(sys.argv[4]), int(sys.argv[5]), [float(value) for value in sys.argv[6:]])
