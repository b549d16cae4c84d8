# test_worker.sh: a run that takes longer than any test may gives way to the next request.
source "$(dirname "$0")/lib.sh"
command -v xdotool >/dev/null || { echo "xdotool is not installed"; exit 77; }

# 14641 products for each of six million values, in double precision: a quarter of an hour.
picture small.ppm 96 54 1
gives 0 batch --quiet resize=width=1920:height=1080 small.ppm -o large.ppm
gives 0 batch --quiet box=121 large.ppm -o want.png
display -screen 0 1280x800x24

last="glint view --level reference --filter box=121 large.ppm"
"$glint" view --size 640x480 --level reference --filter box=121 large.ppm >/dev/null 2>.err </dev/null &
viewer=$!
timeout 300 xdotool search --sync --onlyvisible --name ' - glint$' mousemove --window %1 500 300 >/dev/null

# The mouse moves the picture meanwhile; another level takes over, and its result is saved.
xdotool mousedown 1 mousemove 400 250 mouseup 1 click 4 key End shift+p
await glint-result-001.png
same glint-result-001.png want.png

# The reference again, and the end in the midst of it.
xdotool key 0
sleep 0.5
check "it runs" kill -0 "$viewer"
xdotool key ctrl+q ctrl+q
ended
finish
