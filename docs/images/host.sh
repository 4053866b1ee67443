#!/bin/sh
# Takes a picture of the live table of `powar host watch`, measured at a simulated demonstrator: docs/images/host.png.
#
#   docs/images/host.sh target/release/powar
#
# Needs Debian's tmux, imagemagick and fonts-dejavu-core; no display, no board.
set -eu

if [ $# -ne 1 ]; then
    echo "usage: $0 <powar>" >&2
    exit 2
fi
for program in tmux convert; do
    if ! command -v "$program" >/dev/null; then
        echo "$program is missing: apt install tmux imagemagick fonts-dejavu-core" >&2
        exit 2
    fi
done
picture=$(cd "$(dirname "$0")" && pwd)/host.png
folder=$(mktemp -d)
trap 'kill "$simulation" 2>/dev/null; tmux -L "powar$$" kill-server 2>/dev/null; rm -r "$folder"' EXIT

"$1" host --preset demonstrator-4 simulate > "$folder/port" &
simulation=$!
# Verilator compiles for a minute or two the first time.
while [ ! -s "$folder/port" ]; do
    kill -0 "$simulation"
    sleep 1
done
host="$1 host --preset demonstrator-4 --timeout 10s --port $(cat "$folder/port")"
$host set switch.pdt 1000
$host traffic --pattern uniform --load 0.4 --burst 2000/30000 --length 12 --start
sleep 5
$host reset-counters

columns=100
rows=15
tmux -L "powar$$" -f /dev/null new-session -d -x "$columns" -y "$rows" "$host watch --every 3s"
sleep 8
tmux -L "powar$$" capture-pane -p > "$folder/screen"

# A colour for each row, as on the screen; 10 pixels a column, 21 a row.
awk '
    { sub(/ +$/, "") }
    / Off / { colour = "#9a9a9a" }
    / (GoingOff|ComingOn|Refreshing|Draining) / { colour = "#e5c54f" }
    / On / { colour = "#6fcf6f" }
    !/ (On|Off|GoingOff|ComingOn|Refreshing|Draining) / { colour = "#e6e6e6" }
    { printf "fill %s text 12,%d \"%s\"\n", colour, 26 + 21 * (NR - 1), $0 }
' "$folder/screen" > "$folder/drawing"
convert -size "$((columns * 10 + 24))x$((rows * 21 + 16))" canvas:'#1e1e1e' -font DejaVu-Sans-Mono -pointsize 16.61 \
    -draw "$(cat "$folder/drawing")" -colors 64 "$picture"
cat "$folder/screen"
echo "$picture"
