#!/bin/sh
# Takes a picture of a lock-step run in GTKWave: docs/images/waves.png, or the one named.
#
#   docs/images/waves.sh run.gtkw [picture [from to [height]]]
#
# run.gtkw is the save file that a dump comes with; the dump beside it is opened. Unless the save file's own stretch of time is to be shown, `from`
# and `to` name another in ticks of the dump's timescale; `height` is that of the picture in pixels, else 1000. The pictures in the documentation show
# build/demo/waves.gtkw, which `powar demo` writes, and as `switch` what comes of
#   powar check --top switch --preset fat-tree-4 --load 0.3 --disturbances legal --cycles 3000 --vcd build/switch.vcd
# as `network-powar`, `network-powar-hints` (77800000 to 92000000, 470 pixels) and `network-hints` (78640000 to 78960000) what docs/waves.md names,
# and as `e-rapid-ring` and `e-rapid-messages` what docs/microarchitecture/mechanisms/e_rapid.md names.
# Needs Debian's gtkwave, xvfb and imagemagick; no display.
set -eu

if [ $# -lt 1 ] || [ $# -eq 3 ] || [ $# -gt 5 ]; then
    echo "usage: $0 <name>.gtkw [picture [from to [height]]]" >&2
    exit 2
fi
for program in gtkwave xvfb-run import convert; do
    if ! command -v "$program" >/dev/null; then
        echo "$program is missing: apt install gtkwave xvfb imagemagick" >&2
        exit 2
    fi
done
picture=$(cd "$(dirname "$0")" && pwd)/${2:-waves}.png
from=${3:-} to=${4:-} height=${5:-1000}
# In its folder and with the dump by name, so that the title bar shows no path.
cd "$(dirname "$1")"
save_file=$(basename "$1")

export picture save_file from to height
xvfb-run --auto-servernum --server-args="-screen 0 1600x${height}x24" sh -eu -c '
    settings=$(mktemp -d)
    touch "$settings/log"
    trap "kill \$viewer 2>/dev/null; rm -r \"\$settings\"" EXIT
    # Neither the settings of whoever runs this nor a splash screen belong into the picture.
    printf "splash_disable 1\nhide_sst 1\n" > "$settings/gtkwaverc"
    sed "s/^\[size\] .*/[size] 1600 $height/" "$save_file" > "$settings/$save_file"
    if [ -n "$from" ]; then
        # Without the tree there are 1230 pixels of waves, of 2^-zoom ticks for 200 of them.
        zoom=$(awk "BEGIN { printf \"%.6f\", -log(200 * ($to - $from) / 1230) / log(2) }")
        sed -i "s/^\*[-0-9.]* [-0-9]*/*$zoom -1/; s/^\[timestart\] .*/[timestart] $from/" "$settings/$save_file"
    fi
    HOME=$settings gtkwave --rcfile "$settings/gtkwaverc" "${save_file%.gtkw}.vcd" "$settings/$save_file" > "$settings/log" 2>&1 &
    viewer=$!
    # It names the end of the dump once it has read it; then it needs a moment to draw.
    for second in $(seq 60); do
        grep -q "end time" "$settings/log" && break
        sleep 1
    done
    sleep 9
    import -window root "$settings/screen.png"
    convert "$settings/screen.png" -trim +repage +dither -colors 64 "$picture"
    cat "$settings/log"
'
echo "$picture"
