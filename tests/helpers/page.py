"""page.py: a page of `glint view --serve`, without a browser: a WebSocket (RFC 6455) of the standard library alone.

page.py measure ADDRESS: prints the milliseconds from an event to the frame that shows it, and frames a second."""
import base64
import json
import os
import select
import socket
import statistics
import struct
import sys
import time
import urllib.parse


class Socket:
    """A WebSocket of the address ("http://HOST:PORT/PATH?QUERY"). ConnectionError if it is refused, or closed later."""

    def __init__(self, address, protocol=None):
        url = urllib.parse.urlparse(address)
        self.rest = b""
        self.socket = socket.create_connection((url.hostname, url.port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        path = url.path + ("?" + url.query if url.query else "")
        key = base64.b64encode(os.urandom(16)).decode()
        named = f"Sec-WebSocket-Protocol: {protocol}\r\n" if protocol else ""
        self.socket.sendall(
            (
                f"GET {path} HTTP/1.1\r\nHost: {url.netloc}\r\nUpgrade: websocket\r\n"
                f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n{named}\r\n"
            ).encode()
        )
        while b"\r\n\r\n" not in self.rest:
            self._more()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise ConnectionError(head.decode(errors="replace"))

    def _more(self):
        data = self.socket.recv(1 << 20)
        if not data:
            raise ConnectionError("the connection was closed")
        self.rest += data

    def _take(self, size):
        while len(self.rest) < size:
            self._more()
        taken, self.rest = self.rest[:size], self.rest[size:]
        return taken

    def send(self, text, opcode=1):
        """A message; with another opcode, it is a frame of that kind."""
        data = text.encode() if isinstance(text, str) else text
        size = len(data)
        if size < 126:
            length = bytes([0x80 | size])
        else:
            length = struct.pack(">BH", 0xFE, size) if size < 65536 else struct.pack(">BQ", 0xFF, size)
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[i & 3] for i, byte in enumerate(data))
        self.socket.sendall(bytes([0x80 | opcode]) + length + mask + masked)

    def message(self):
        """The opcode and the bytes of the next message, which is not in parts."""
        first, size = self._take(2)
        if size == 126:
            (size,) = struct.unpack(">H", self._take(2))
        elif size == 127:
            (size,) = struct.unpack(">Q", self._take(8))
        data = self._take(size)
        if first & 15 == 8:
            raise ConnectionError("the connection was closed")
        return first & 15, data

    def close(self):
        self.socket.close()


class Page(Socket):
    """A page that shows the window; frames are JPEG."""

    def __init__(self, address, sees=True):
        super().__init__(address, "glint")
        self.sees = sees  # tells the window that it shows each frame
        self.state, self.frames, self.serial, self.jpeg = {}, 0, 0, b""

    def receive(self):
        """The next message: "state", "frame", "image", or "" for any other; the attributes have its contents."""
        opcode, data = self.message()
        if opcode == 1:
            self.state = json.loads(data)
            return "state"
        if opcode != 2:
            return ""
        (serial,) = struct.unpack(">I", data[:4])
        if serial == 0:
            self.image = data[4:]
            return "image"
        self.serial, self.jpeg, self.frames = serial, data[4:], self.frames + 1
        if self.sees:
            self.send(f"seen {serial}")
        return "frame"

    def until(self, done, seconds=60):
        """Receives until done(kind) holds; TimeoutError after so long."""
        end = time.monotonic() + seconds
        while True:
            self.socket.settimeout(max(end - time.monotonic(), 0.001))
            kind = self.receive()
            if done(kind):
                return kind

    def next_frame(self, seconds=60):
        """The serial of a frame that is newer than the last."""
        before = self.serial
        self.until(lambda kind: kind == "frame" and self.serial > before, seconds)
        return self.serial

    def rests(self, seconds=1.0):
        """Receives until nothing has come for so long."""
        while True:
            self.socket.settimeout(seconds)
            try:
                self.receive()
            except TimeoutError:
                return

    def key(self, name, shift=0, control=0):
        for pressed in (1, 0):
            self.send(f"key {pressed} {shift} {control} {name}")


def answer_time(page, name, act):
    """Prints how long frames take that answer act(i), each to a window that rests. Letters would wait for others."""
    taken, sizes = [], []
    for i in range(30):
        page.rests(0.4)
        start = time.monotonic()
        act(i)
        page.next_frame()
        taken.append((time.monotonic() - start) * 1e3)
        sizes.append(len(page.jpeg))
    print(f"{name} to its frame: median {statistics.median(taken):.1f} ms, longest of {len(taken)}: {max(taken):.1f} ms; "
          f"{statistics.median(sizes) / 1e3:.0f} kB a frame")


def measure(address):
    page = Page(address)
    page.until(lambda kind: kind == "state" and page.state["steers"])
    page.send("size 1920 1080")
    page.rests()
    answer_time(page, "a key (Tab: panels off and on)", lambda i: page.key("Tab"))
    answer_time(page, "the wheel (zoom)", lambda i: page.send(f"wheel {1 - 2 * (i & 1)} 900 500 0"))
    page.rests()
    first, i, start = page.frames, 0, time.monotonic()
    page.send("move 900 500")
    page.send("button 0 1 900 500 0 0")
    while (seconds := time.monotonic() - start) < 5:  # a drag over the picture, by a mouse of 60 moves a second
        if seconds * 60 >= i:
            i += 1
            page.send(f"move {900 + i % 200} {500 + i % 100}")
        if page.rest or select.select([page.socket], [], [], 0.004)[0]:
            page.receive()
    page.send("button 0 0 900 500 0 0")
    print(f"a drag: {(page.frames - first) / seconds:.1f} frames a second")


if __name__ == "__main__":
    measure(sys.argv[2])
