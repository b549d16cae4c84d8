# test_send.sh: glint trace --send: what a viewer gets, by a reader of its own (tev.py).
source "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
tev=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/tev.py

# listening FOLDER [leave]: a listener whose port becomes $port; FOLDER gets what it was sent.
listening() {
    mkdir -p "$1"
    rm -f "$1/port"
    python3 "$tev" listen "$@" >"$1/port" 2>"$1/errors" &
    listener=$!
    patiently [ -s "$1/port" ]
    port=$(cat "$1/port")
}

# Light arrives as the file has it, to the last bit; the picture is created once, by the file's name, and to be shown.
listening light
gives 0 trace packed --look paths --samples 8 --size 61x47 --threads 2 --send "127.0.0.1:$port" -o light.pfm
wait "$listener" || complain "the listener: $(cat light/errors)"
check "light arrives" cmp light.pfm light/0.pfm
check "it is created once" [ "$(grep -c ^create light/log)" -eq 1 ]
check "by the file's name" grep -qx 'create light.pfm 61 47 R,G,B 1' light/log
refute "it is not closed" grep -qv '^create\|^update' light/log

# While light is gathered, pictures follow each other.
listening often
gives 0 trace packed --look paths --time 2 --size 61x47 --threads 2 --send "127.0.0.1:$port" --send-token 'a secret' -o often.pfm
wait "$listener" || complain "the listener: $(cat often/errors)"
check "the last one is the file" cmp often.pfm often/0.pfm
check "there were several" [ "$(grep -c '^update often.pfm 0 0 ' often/log)" -ge 3 ]
check "the token comes first" [ "$(head -n 1 often/log)" = "open token a secret" ]

# Values that a screen shows go as light: encoded again, they are the file's. A filter is behind it.
listening shown
gives 0 trace spheres=count=20:seed=1 --size 80x60 --filter gaussian=1 --send "$port" -o shown.ppm
wait "$listener" || complain "the listener: $(cat shown/errors)"
check "values are light" python3 - <<'END'
import struct
ppm = open("shown.ppm", "rb").read()[-80 * 60 * 3:]
pfm = struct.unpack("<14400f", open("shown/0.pfm", "rb").read()[-4 * 14400:])
for y in range(60):
    for i in range(240):
        light = pfm[(59 - y) * 240 + i]
        code = 12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055
        assert abs(255 * code - ppm[y * 240 + i]) < 0.01
END

# Frames of a film are one picture, and each takes the place of the one before.
listening film
gives 0 trace spheres=count=20:seed=1 --size 32x32 --camera perspective --orbit 3 --send "127.0.0.1:$port" -o film.ppm
wait "$listener" || complain "the listener: $(cat film/errors)"
check "one picture" [ "$(grep -c ^create film/log)" -eq 1 ]
check "three frames" [ "$(grep -c ^update film/log)" -eq 3 ]

# Who goes away is said; the file is written all the same.
listening gone leave
gives 0 trace packed --look paths --time 2 --size 200x200 --send "127.0.0.1:$port" -o gone.pfm
says 'not sent any more'
check "it is written" [ -s gone.pfm ]
wait "$listener"

# Nobody listens; a wrong spelling; a token for nobody; strips. Nothing is left behind.
gives 4 trace packed --size 8x8 --send 127.0.0.1:1 -o none.png
says '--send 127.0.0.1:1: '
gives 2 trace packed --size 8x8 --send 127.0.0.1:port -o none.png
says 'want HOST:PORT'
gives 2 trace packed --size 8x8 --send-token secret -o none.png
says '--send-token'
GLINT_MEMORY=24M gives 3 trace packed --size 4096x4096 --send "127.0.0.1:1" -o none.png
says '--send shows all of the picture'
refute "there is no file" [ -e none.png ]
finish
