# test_browser.sh: glint view --serve without a display: pages that are sockets of Python, and a Chromium without a
# window where one is installed.
source "$(dirname "$0")/lib.sh"
helpers=$(realpath "$(dirname "$0")/../helpers")
program=$(realpath "$OLDPWD/$1" 2>/dev/null || realpath "$1")
[ -e "$(dirname "$program")/glint-web.so" ] || { echo "SKIPPED: built without libwebsockets"; exit 77; }
export PYTHONPATH=$helpers PYTHONDONTWRITEBYTECODE=1
mkdir -p dropped && export TMPDIR=$work/dropped
picture one.ppm 97 61 1
picture two.ppm 64 80 2

# serve ARGUMENTS...: a window in the background; then $address has it, and $program is its process.
serve() {
    rm -f address
    "$glint" view --serve "$@" >address 2>.err </dev/null &
    viewer=$!
    patiently [ -s address ] || complain "no address is printed"
    address=$(head -n 1 address)
    port=${address#http://127.0.0.1:}
    port=${port%%/*}
}

# page NAME: runs the program of stdin as one check.
page() {
    cat >page-check.py
    check "$1" timeout 120 python3 page-check.py "$address" 2>.err
}

gives 2 view --serve=70000 one.ppm
says 'serve'

serve --size 640x480 --filter gaussian=2 one.ppm
check "the address has a token of 128 bits" grep -qE '^http://127\.0\.0\.1:[0-9]+/\?token=[0-9a-f]{32}$' address
gives 4 view --serve="$port" one.ppm
says "^glint: view: --serve=$port: this port .* cannot be listened on; --serve alone"
code() { curl -s -o /dev/null -w '%{http_code}' "$1"; }
check "the page comes" [ "$(code "$address")" = 200 ]
check "no token" [ "$(code "http://127.0.0.1:$port/")" = 403 ]
check "a wrong token" [ "$(code "${address%?}g")" = 403 ]
check "a part of the token" [ "$(code "${address%?}")" = 403 ]
check "another path" [ "$(code "http://127.0.0.1:$port/etc/passwd?token=${address##*=}")" = 404 ]
check "a path upwards" [ "$(code "http://127.0.0.1:$port/../one.ppm?token=${address##*=}")" = 404 ]
check "it listens on the loopback interface alone" \
    [ "$(awk -v port="$(printf ':%04X' "$port")" '$2 ~ port "$" && $4 == "0A" { print $2 }' /proc/net/tcp /proc/net/tcp6)" = "0100007F:$(printf %04X "$port")" ]

# The frame of a window that rests is the window, as a screenshot has it: JPEG of quality 95 loses little.
page "frames come, and keys change them" <<'END'
import sys
from page import Page
page = Page(sys.argv[1])
page.until(lambda kind: kind == "state" and page.state["steers"] and page.state["watchers"] == 1)
first = page.next_frame()
page.rests(1.5)
page.key("Tab")
assert page.next_frame() > first
page.rests()
open("bare.jpg", "wb").write(page.jpeg)
page.key("Tab")
page.next_frame()
page.rests(6.0)  # until the first message of the window has gone
open("frame.jpg", "wb").write(page.jpeg)
page.key("p")
page.rests(1.5)
page.send("size 700 500")
page.next_frame()
page.rests()
open("larger.jpg", "wb").write(page.jpeg)
page.send("size 640 480")
page.next_frame()
page.rests()
END
shown frame.jpg 640 480
shown larger.jpg 700 500
await glint-window-001.png
alike() { "$glint" compare "$1" "$2" --at-least psnr="$3" >.compared 2>&1; }
check "the frame is the window" alike frame.jpg glint-window-001.png 38
refute "a key changes the picture" alike frame.jpg bare.jpg 30

page "one steers, others watch" <<'END'
import sys
from page import Page
address = sys.argv[1]
def told(page, steers, watchers):
    page.until(lambda kind: kind == "state" and page.state["steers"] is steers and page.state["watchers"] == watchers)
first = Page(address)
told(first, True, 1)
second = Page(address)
told(second, False, 2)
told(first, True, 2)
for page in (first, second):
    page.rests()
before = second.serial
second.key("Tab")
second.send("size 320 200")
second.send("wheel 1 300 200 0")
second.rests()
assert second.serial == before, "a watcher has changed the window"
first.key("Tab")
second.next_frame()
second.send("take")
told(second, True, 2)
told(first, False, 2)
second.send("key 1 0 0 Tab")
second.next_frame()
second.close()  # with a key held
told(first, True, 1)
END

page "a slow page gets the newest frame, and no queue of them" <<'END'
import sys
from page import Page
steers, slow = Page(sys.argv[1]), Page(sys.argv[1], sees=False)
slow.rests()
sent = slow.frames
assert sent <= 2, f"{sent} frames are on their way"
for i in range(8):
    steers.key("Tab")
    steers.next_frame()
    steers.rests(0.3)
slow.rests()
assert slow.frames <= 2, f"{slow.frames} frames are on their way"
sent = slow.frames
slow.send(f"seen {slow.serial}")
slow.until(lambda kind: kind == "frame")
assert slow.serial == steers.serial and slow.frames == sent + 1, (slow.serial, steers.serial)
END

page "texts are copied and pasted" <<'END'
import os, sys
from page import Page
page = Page(sys.argv[1])
page.rests()
page.key("c")
page.until(lambda kind: kind == "state" and page.state["copied"])
assert " batch " in page.state["copied"], page.state["copied"]
page.key("c", control=1)
page.until(lambda kind: kind == "image")
assert page.image.startswith(b"\x89PNG\r\n")
page.send("paste " + os.path.realpath("two.ppm"))
page.key("v", control=1)
page.until(lambda kind: kind == "state" and page.state["title"].startswith("two.ppm"))
END

page "nonsense does nothing, and floods end" <<'END'
import os, random, socket, sys, urllib.parse
from page import Page
address = sys.argv[1]
url = urllib.parse.urlparse(address)
page = Page(address)
page.rests()
before = page.serial
random.seed(1)
for text in ["", " ", "move", "move 1", "move 1 2 3", "move 99999999999999999999 0", "size 63 64", "size 8000 100",
             "button 3 1 0 0 0 0", "key 1 0 0", "key 1 0 0 NoSuchKey", "key 2 0 0 a", "wheel 5 0 0 0", "seen -1", "quit",
             "key 1 0 0 \0", "take it", "paste"]:
    page.send(text)
for i in range(300):
    page.send(bytes(random.randrange(32, 127) for i in range(random.randrange(60))))
page.rests()
assert page.serial == before
page.key("Tab")
page.next_frame()
def ends(opcode, data):
    other = Page(address)
    try:
        other.send(data, opcode)
        while True:
            other.receive()
    except (ConnectionError, BrokenPipeError):
        return True
assert ends(1, b"paste " + b"a" * 70000) and ends(1, b"key 1 0 0 \xff\xfe")
for junk in (b"\0" * 10000, b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 10000, os.urandom(1000)):
    raw = socket.create_connection((url.hostname, url.port))
    try:
        raw.sendall(junk)
    except OSError:
        pass
    raw.close()
try:
    Page(address.replace("token=", "token=0"))
    raise AssertionError("a wrong token is taken")
except ConnectionError:
    pass
crowd, refused = [], 0
for i in range(20):
    try:
        crowd.append(Page(address))
        crowd[-1].until(lambda kind: kind == "state")
    except (ConnectionError, TimeoutError):
        refused += 1
assert refused >= 4, refused
for other in crowd:
    other.close()
page.rests()
page.key("Tab")
page.next_frame()
END

# A dropped file is a binary message: its name, a zero, what it holds.
page "files that the steering page sends are opened, and no others" <<'END'
import os, sys
from page import Page
page = Page(sys.argv[1])
page.until(lambda kind: kind == "state" and page.state["steers"])
other = Page(sys.argv[1])
other.until(lambda kind: kind == "state")
picture = open("one.ppm", "rb").read()
other.send(b"others.ppm\0" + picture, 2)
def opens(name):
    page.until(lambda kind: kind == "state" and page.state["title"].startswith(name))
page.send("dropped é.ppm".encode() + b"\0" + picture, 2)
opens("dropped é.ppm")
page.send(b"dropped.ppm\0" + open("two.ppm", "rb").read(), 2)
opens("dropped.ppm")
assert not other.state["title"].startswith("others.ppm")
def refused(message, words):
    before = page.state["refusals"]
    page.send(message, 2)
    page.until(lambda kind: kind == "state" and page.state["refusals"] > before)
    assert words in page.state["refusal"], page.state["refusal"]
for name in (b"../one.ppm", b"a/b.ppm", b".hidden.ppm", b"", b"a\nb.ppm"):
    refused(name + b"\0" + picture, "want one without /")
refused(b"nameless", "no name")
refused(b"n" * 201 + b"\0" + picture, "more than 200 bytes")
refused(b"", "no name")
page.send(b"after.ppm\0" + picture, 2)
opens("after.ppm")
assert page.state["refusals"] == 8 and other.state["refusal"] == ""
END
dropped() { find "$TMPDIR" -maxdepth 1 -name 'glint-dropped-*' | wc -l; }
check "dropped files lie in one folder" [ "$(dropped)" = 1 ]

# A program of its own, with the page as it is.
if command -v chromium >/dev/null; then
    chromium --headless=new --no-sandbox --disable-gpu --user-data-dir="$work/chromium" --remote-debugging-port=0 \
        --window-size=900,700 "$address" >/dev/null 2>&1 &
    browser=$!
    patiently [ -s chromium/DevToolsActivePort ] || complain "Chromium does not start"
    page "Chromium shows the window, and its keys reach it" <<'END'
import base64, json, time, urllib.request
from page import Socket
port = open("chromium/DevToolsActivePort").readline().strip()
while True:
    pages = [at for at in json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json")) if at["type"] == "page"]
    if pages:
        break
    time.sleep(0.1)
tools, number = Socket(pages[0]["webSocketDebuggerUrl"].replace("ws:", "http:")), 0
def do(method, **values):
    global number
    number += 1
    tools.send(json.dumps({"id": number, "method": method, "params": values}))
    while True:
        opcode, data = tools.message()
        if opcode == 1 and json.loads(data).get("id") == number:
            return json.loads(data)["result"]
def value(text):
    return do("Runtime.evaluate", expression=text)["result"].get("value")
def picture(name):
    open(name, "wb").write(base64.b64decode(do("Page.captureScreenshot", format="png")["data"]))
def patiently(text):
    end = time.monotonic() + 60
    while not value(text):
        assert time.monotonic() < end, text
        time.sleep(0.1)
patiently("shown > 0 && state.steers && canvas.width === Math.round(innerWidth * devicePixelRatio)")
time.sleep(1.5)
picture("page.png")
before = value("shown")
for kind in ("keyDown", "keyUp"):
    do("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
patiently(f"shown > {before}")
time.sleep(1.5)
picture("page-bare.png")
assert value("note.textContent") == "Drop files here to open them"
value("""window.drop = (name, bytes) => {
    const data = new DataTransfer();
    data.items.add(new File([bytes], name));
    dispatchEvent(new DragEvent("drop", { dataTransfer: data, cancelable: true }));
}; drop("dragged.pgm", "P2 2 2 255 0 85 170 255")""")
patiently("document.title.startsWith('dragged.pgm')")
value("drop('.x.pgm', 'P2 1 1 255 0')")
patiently("note.textContent.includes('want one without /')")
value("sendFile({ name: 'huge.exr', size: state.fileMax + 1 })")
patiently("note.textContent.startsWith('huge.exr: larger than 256 MiB')")
END
    run batch --quiet --overwrite '' page.png -o page.ppm
    check "the page is not black" [ "$(tail -c +16 page.ppm | od -An -v -tu1 -w1 | sort -un | wc -l)" -gt 40 ]
    refute "a key changes the page" alike page.png page-bare.png 30
    kill "$browser" 2>/dev/null
    wait "$browser" 2>/dev/null
else
    echo "chromium is not installed: no browser is tried"
fi

# Ctrl+C ends it in order; so does its own command.
kill -INT "$(pgrep -P "$viewer" -f 'view')"
ended
check "dropped files go with the window" [ "$(dropped)" = 0 ]
cp one.ppm $'caf\xe9.ppm' # a name that is no UTF-8, as messages to pages are
serve --size 320x240 $'caf\xe9.ppm'
page "the window closes by its own key" <<'END'
import sys
from page import Page
page = Page(sys.argv[1])
page.until(lambda kind: kind == "state" and page.state["steers"] and "caf\\xe9.ppm" in page.state["title"])
page.send("", 1)
page.next_frame()
page.key("q", control=1)
try:
    while True:
        page.receive()
        page.key("q", control=1)
except (ConnectionError, OSError):
    pass
END
ended

# Scripts work there as on a display.
script_at() { printf '%s\n' "${@:2}" >script.txt; gives "$1" view --quiet --overwrite --serve --script script.txt; }
script_at 0 'open one.ppm' 'filter gaussian=2' 'frame a.png' 'size 500x400' 'screenshot window.png' quit
gives 0 batch --quiet --overwrite gaussian=2 one.ppm -o want.png
same a.png want.png
shown window.png 500 400
finish
