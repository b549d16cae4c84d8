# test_gpu_window.sh: results of the CUDA backend in a real window, by every route. Routes show the same pixels to the
# last bit, and the CPU backend's within 1. Where NVIDIA's driver draws, every route must work; where OpenGL draws in
# software, results must take the copy, and the timings must say why. Needs no tools beyond a shell's, so that it runs
# on bare machines.
assets=$(realpath "$(dirname "$0")/../../assets")
source "$(dirname "$0")/../cli/lib.sh"
picture small.ppm 97 61 1
run batch --quiet --backend cuda invert small.ppm -o inverted.ppm
[ "$status" -ne 4 ] || { echo "skipped: $(cat .err)"; exit 77; }
if [ -z "${DISPLAY:-}" ]; then
    command -v Xvfb >/dev/null || { echo "skipped: there is no display, and Xvfb is not installed"; exit 77; }
    Xvfb -displayfd 3 -noreset -nolisten tcp -screen 0 1920x1200x24 3>.display 2>/dev/null &
    server=$!
    trap 'kill $server 2>/dev/null; wait 2>/dev/null; rm -rf "$work"' EXIT
    patiently [ -s .display ]
    export DISPLAY=:$(cat .display)
fi

# A window that stays would hold up all tests: every run ends after a while.
printf '#!/bin/sh\nexec timeout 120 "%s" "$@"\n' "$glint" >bounded
chmod +x bounded
glint=$work/bounded

# script BACKEND LINE...: runs a script of these lines, which must succeed.
script() {
    local backend=$1
    shift
    printf '%s\n' "$@" quit >script.txt
    gives 0 view --quiet --overwrite --backend "$backend" --size 900x700 --script script.txt
}

# same FILE FILE: equal to the last byte.
same() {
    checks=$((checks + 1))
    cmp -s "$1" "$2" || complain "$1 differs from $2"
}

# close_to FILE FILE: pictures of 8 bits whose values differ by 1 at most.
close_to() {
    local file
    for file in "$1" "$2"; do
        run batch --quiet --backend cpu --overwrite "" "$file" -o "${file%.*}.plain.ppm"
    done
    checks=$((checks + 1))
    cmp -l "${1%.*}.plain.ppm" "${2%.*}.plain.ppm" 2>&1 | awk '
        function value(octal) { return int(octal / 100) * 64 + int(octal % 100 / 10) * 8 + octal % 10 }
        NF != 3 || value($2) - value($3) > 1 || value($3) - value($2) > 1 { exit 1 }' ||
        complain "$1 and $2 differ by more than 1"
}

# has PATTERN FILE: a line of the file matches.
has() {
    checks=$((checks + 1))
    grep -qE -e "$1" "$2" || complain "$2 has no line matching: $1"
}

# costs FILE: the times of the parts of a route, from its timings.
costs() {
    awk -F'"' '/"name":/ { name = $4 }
        /"ms":/ && name ~ /^(map|write|unmap|update|download|present)$/ {
            sub(/.*: /, "", $0); sub(/,$/, "", $0); printf "  %s %.3f", name, $0 } { if (/"ms":/) name = "" }' "$1"
}

script cuda "open small.ppm" "frames 2" "timings first.json"
hardware=$(grep -cE '"renderer": ".*NVIDIA' first.json)
sed -n 's/.*"renderer": "\(.*\)".*/OpenGL: \1/p' first.json

# Every type and number of channels has a texture of its own kind.
run batch --quiet grayscale small.ppm -o gray.pgm
for file in small.ppm gray.pgm "$assets/photo.jpg" "$assets/spark.png" "$assets/ramp16.png" "$assets/sky.hdr"; do
    name=$(basename "${file%.*}")
    extension=ppm
    case $file in
    *.pgm) extension=pgm ;;
    *.png) extension=png ;;
    *.hdr) extension=pfm ;;
    esac
    look=("open $file" "filter gaussian=1.5" "key Tab" "key r")
    lines=()
    for route in surface pbo copy; do
        lines+=("route $route" "frames 3" "frame $name-$route.$extension" "screenshot $name-$route-window.png"
            "timings $name-$route.json")
    done
    script cuda "${look[@]}" "${lines[@]}"
    script cpu "${look[@]}" "frame $name-cpu.$extension" "screenshot $name-cpu-window.png"
    for route in surface pbo; do
        same "$name-$route.$extension" "$name-copy.$extension"
        if [ "$hardware" -eq 1 ]; then
            same "$name-$route-window.png" "$name-copy-window.png"
            has "^  \"route\": \"$route\"" "$name-$route.json"
        else
            has '^  "route": "copy"' "$name-$route.json"
            has '"why_not": "cudaError.*__NV_PRIME_RENDER_OFFLOAD=1' "$name-$route.json"
        fi
    done
    [ "$hardware" -eq 0 ] || close_to "$name-copy-window.png" "$name-cpu-window.png"
    case $file in
    *.ppm | *.pgm | *.jpg) close_to "$name-copy.$extension" "$name-cpu.$extension" ;;
    esac
done

# Backends and routes change on the same picture; sizes change beneath a texture that is registered.
script cuda "open small.ppm" "filter gaussian=1.5" "frames 2" "backend cpu" "frames 2" "frame there.ppm" "backend cuda" \
    "frames 2" "frame back.ppm" "open gray.pgm" "frames 2" "open small.ppm" "frames 2" "frame again.ppm" "key o" \
    "frames 2" "key o" "frames 2" "frame last.ppm"
same back.ppm small-copy.ppm
same again.ppm back.ppm
same last.ppm back.ppm
close_to there.ppm back.ppm
script cuda "scene spheres=count=9:seed=3" "key r" "frames 2" "size 640x480" "frames 2" "size 900x700" "frames 2" \
    "frame scene.ppm"
gives 0 trace --quiet --backend cuda spheres=count=9:seed=3 --size 900x700 -o want.ppm
same scene.ppm want.ppm

# Filters behind a trace, which change while light is gathered.
script cuda "size 640x480" "scene packed=30" "change-light samples=8" "filter invert" "frames 2" "split" "filter gaussian=2,difference" \
    "frames 2" "frame filtered.png" "copy-command"
line=$(grep '^glint trace' .out | tail -n 1)
sh -c "${line/#glint/$glint} --quiet" || complain "$line: fails"
same filtered.png out.png

# The times of each route's parts, in ms.
gives 0 trace --quiet --backend cuda spheres=count=200:seed=1 --size 3840x2160 -o large.ppm
script cuda "open large.ppm" "filter gaussian=1.5" "route surface" "frames 40" "timings large-surface.json" \
    "route pbo" "frames 40" "timings large-pbo.json" "route copy" "frames 40" "timings large-copy.json"
for name in photo large; do
    for route in surface pbo copy; do
        printf '%-7s %-8s%s\n' "$name" "$route" "$(costs "$name-$route.json")"
    done
done
finish
