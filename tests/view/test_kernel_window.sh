# test_kernel_window.sh: kernel files on the emulated GPU in the window. It shows counts and no times. A file that does
# not compile opens the window all the same, and the next save clears that. The dialogue opens, begins and closes files;
# scripts do not. The log tells the time from a save to the draw that shows the checked result.
source "$(dirname "$0")/lib.sh"
command -v xdotool >/dev/null || { echo "xdotool is not installed"; exit 77; }
export XDG_CACHE_HOME=$work/cache
run list backends
grep -q '^emulated' .out || { echo "there is no emulated GPU"; exit 77; }
run kernel new convolve mine.cu
run kernel compile mine.cu
[ "$status" -eq 0 ] || { echo "there is no compiler of CUDA C"; exit 77; }
picture one.ppm 97 61 1
picture large.ppm 900 700 2
run batch --quiet box=3 one.ppm --backend cpu --level naive -o filtered.ppm
display -screen 0 1280x800x24

# edit SED [FILE]: mine.cu becomes another file at once.
edit() { sed "$1" mine.cu >new.cu && mv new.cu "${2:-mine.cu}"; }
# number EXPRESSION: of the report, by Python; `report` is the whole.
number() { python3 -c 'import json, sys; report = json.load(open("timings.json")); print(eval(sys.argv[1]))' "$1"; }

# CUDA C goes to the emulated GPU by itself. Nothing there is a time; a picture that is small is made as a whole.
printf '%s\n' 'frames 1' 'frame out.ppm' 'timings timings.json' quit >script.txt
gives 0 view --quiet --overwrite --kernel mine.cu --filter box=3 --script script.txt one.ppm
same out.ppm filtered.ppm
check "it is emulated" [ "$(number 'report["backend"]')" = emulated ]
check "the kernel's level is taken" [ "$(number 'report["level"]')" = mine ]
check "there are no times" [ "$(number '[report[name] for name in ("ms", "Mpixel/s", "GB/s", "copies", "speedup")], report["run_ms"]')" = \
    '([None, None, None, None, None], [])' ]
check "the counts are of the kernel" [ "$(number 'report["counts"]["agrees"] and report["counts"]["instructions a pixel"] > 100')" = True ]

# The window makes a part of a large picture, and is soon done.
printf '%s\n' 'screenshot window.png' 'timings timings.json' quit >script.txt
gives 0 view --quiet --overwrite --kernel mine.cu --filter box=9 --script script.txt large.ppm
check "the part agrees" [ "$(number 'report["counts"]["agrees"]')" = True ]

# g goes on to the emulated GPU, and back.
printf '%s\n' 'backend cpu' 'key g' 'frames 1' 'timings timings.json' 'key g' quit >script.txt
gives 0 view --quiet --overwrite --kernel mine.cu --level mine --filter box=3 --backend emulated --kernel-time 30 --script script.txt one.ppm
check "g takes it" [ "$(number 'report["backend"]')" = emulated ]

# Scripts open no kernels, by no way.
for line in 'open-kernel mine.cu' 'by-hand open-kernel mine.cu' 'new-kernel other.cu' 'close-kernel mine.cu'; do
    script 2 'open one.ppm' "$line"
    says 'from hands, not from scripts'
done
check "none is written" [ ! -e other.cu ]

# A file with an error opens the window; its words are the compiler's. The next save that compiles is shown.
cp mine.cu good.cu
edit 's/mask.weights/mask.weigths/'
for i in $(seq 400); do printf 'wait 0.3\nframe now.ppm\n'; done >script.txt
"$glint" view --quiet --overwrite --log log.csv --kernel mine.cu --filter box=3 --script script.txt one.ppm 2>said.txt </dev/null &
viewer=$!
check "the compiler's words are said" patiently grep -q weigths said.txt
check "the window goes on with another level" patiently cmp -s now.ppm filtered.ppm
sed 's/store(out, x, y, c, /&200 + 0 * /' good.cu >new.cu
mv new.cu mine.cu
bright() { [ "$(tail -c 3 now.ppm | od -An -tu1 | tr -d ' ')" = 200200200 ]; }
check "the next save is shown" patiently bright
sleep 3 # it is judged behind that
xdotool key ctrl+q ctrl+q
wait "$viewer"
viewer=
check "the log has the time from the save" python3 -c 'import csv, sys
rows = [float(row["saved_ms"]) for row in csv.DictReader(open("log.csv", newline="")) if row["saved_ms"]]
sys.exit(not (len(rows) == 1 and 0 < rows[0] < 60000))'

# The dialogue: a file is begun and opened by hand, and closed. Its level is there, and gone.
rm -f glint-window-*.png
"$glint" view --filter box=3 --backend emulated --kernel-time 30 --kernel good.cu --level mine one.ppm >out.txt 2>.err </dev/null &
viewer=$!
opened 700 400
xdotool key --delay 60 ctrl+shift+F1 ctrl+a sleep 0.3
xdotool type --delay 30 begun.cu
xdotool key Return
check "the file is written" patiently cmp -s begun.cu good.cu
xdotool key ctrl+q ctrl+q
wait "$viewer"
viewer=
finish
