#!/bin/sh
# Opens the page of `powar experiment --page` in a headless Chromium, from its file: it sorts, filters, shows the figures, keeps the choice of columns in its
# address, and the command of a point repeats it. Then in windows as wide as a desk's and as a phone's: the figures are beside the table, and the page is no
# wider than the phone.
#
#     sh tests/page.sh [POWAR]
#
# POWAR is the `powar` binary (default target/release/powar). Exit code 0: as expected, or skipped for want of Chromium; 1: a difference.
here=$(cd "$(dirname "$0")" && pwd)
powar=$(realpath "${1:-$here/../target/release/powar}")
if ! command -v chromium >/dev/null; then
    echo "SKIPPED: no chromium (Debian: chromium)"
    exit 0
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/powar-page-XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

fail() {
    echo "FAILED: $*"
    exit 1
}

cat >small.toml <<'END'
title = "Small & <odd>"
[simulation]
topology = "2-ary-2-tree"
traffic = { kind = "synthetic", cycles = 3000 }
[[sweep]]
name = "load"
key = "traffic.load"
values = [0.1, 0.05, 0.2]
[[sweep]]
name = "policy"
values = ["reference", "first-on"]
[[figure]]
name = "latency"
title = "Latency"
kind = "lines"
x = "load"
series = ["policy"]
panels = [{ y = "packet_latency.mean", label = "Latency, cycles" }]
END
"$powar" experiment small.toml --out "it's" >/dev/null 2>&1 || fail "the experiment"
[ "$("$powar" experiment "it's" --page)" = "it's/index.html" ] || fail "no page"

# What a user does, and what is then to be seen.
cat >steps.html <<'END'
<script>
const seen = [];
const look = what => seen.push(`${what}: ${[...document.querySelectorAll("tbody tr")].map(line => line.children[0].textContent + " " + line.children[1].textContent).join(", ")}`);
const type = (column, text) => {
  const input = document.querySelector(`input[aria-label="filter ${column}"]`);
  input.value = text;
  input.dispatchEvent(new Event("input"));
};
const sort = column => [...document.querySelectorAll("thead button")].find(button => button.textContent.split(" ")[0] === column).click();
const heads = () => [...document.querySelectorAll("thead button")].map(button => button.textContent.replace(/,? .*/, "")).join(",");
const usual = heads();
look("first");
sort("load"); look("sorted");
sort("load"); look("down");
type("policy", "FIRST"); look("text");
type("load", ">= 0.1"); look("comparison");
seen.push(document.getElementById("count").textContent);
document.querySelector("tbody tr").click();
seen.push(document.getElementById("command").textContent);
type("policy", ""); type("load", "");
document.getElementById("all").click();
seen.push(`columns: ${document.querySelectorAll("thead button").length > 40} ${location.hash}`);
document.getElementById("all").click();
seen.push(`usual: ${heads() === usual} ${location.hash}`);
for (const box of document.querySelectorAll("#choice input")) if (box.checked !== ["policy", "watts.e_net"].includes(box.value)) box.click();
seen.push(`chosen: ${heads()} ${location.hash}`);
window.addEventListener("load", () => {
  const image = document.querySelector("figure img");
  seen.push(`figure: ${image.complete && image.naturalWidth > 100} ${document.title} ${document.querySelectorAll("odd").length}`);
  const out = document.createElement("pre");
  out.id = "seen";
  out.textContent = seen.join("\n");
  document.body.append(out);
});
</script>
END
cat "it's/index.html" steps.html >"it's/tried.html"
chromium --headless --no-sandbox --disable-gpu --virtual-time-budget=5000 --user-data-dir="$work/profile" \
    --dump-dom "file://$work/it%27s/tried.html" >dom.html 2>chromium.log || fail "chromium: $(tail -n 3 chromium.log)"
sed -n '/<pre id="seen">/,/<\/pre>/p' dom.html | sed 's/.*<pre id="seen">//; s/<\/pre>.*//; s/&amp;/\&/g; s/&lt;/</g; s/&gt;/>/g' >seen.txt
key=$(sed -n 's/.*points\/\([0-9a-f]*\)\.json.*/\1/p' seen.txt | head -n 1)
cat >expected.txt <<END
first: 0.1 reference, 0.1 first-on, 0.05 reference, 0.05 first-on, 0.2 reference, 0.2 first-on
sorted: 0.05 reference, 0.05 first-on, 0.1 reference, 0.1 first-on, 0.2 reference, 0.2 first-on
down: 0.2 first-on, 0.2 reference, 0.1 first-on, 0.1 reference, 0.05 first-on, 0.05 reference
text: 0.2 first-on, 0.1 first-on, 0.05 first-on
comparison: 0.2 first-on, 0.1 first-on
2 of 6 points
powar sim --point 'it'\\''s/points/$key.json'
columns: true #columns=*
usual: true 
chosen: policy,watts.e_net #columns=policy,watts.e_net
figure: true Small & <odd> 0
END
diff expected.txt seen.txt || fail "the page shows something else"

# What is where in a window of a width, of the page at an address.
cat >where.html <<'END'
<script>
window.addEventListener("load", () => {
  const [table, figures] = [".scroll", "#figures"].map(found => document.querySelector(found).getBoundingClientRect());
  const beside = figures.left >= table.right && figures.top < table.bottom;
  const inside = document.documentElement.scrollWidth <= window.innerWidth;
  const scroll = document.querySelector(".scroll");
  scroll.scrollLeft = 200;
  const first = document.querySelector("tbody td").getBoundingClientRect();
  parent.postMessage(`${window.innerWidth} wide, beside ${beside}, inside ${inside}, scrolls ${scroll.scrollLeft > 0}, first column stays ${first.left >= table.left}, ` +
    `columns ${document.querySelectorAll("thead button").length}, policy first ${document.querySelector("thead button").textContent === "policy"}`, "*");
});
</script>
END
cat "it's/index.html" where.html >"it's/where.html"
# In a frame: no window of Chromium is as narrow as a phone's.
where() {
    cat >"it's/frame.html" <<END
<iframe width="$1" height="$2" style="border: 0" src="where.html$3"></iframe>
<script>
window.addEventListener("message", message => {
  const out = document.createElement("pre");
  out.id = "seen";
  out.textContent = message.data;
  document.body.append(out);
});
</script>
END
    chromium --headless --no-sandbox --disable-gpu --virtual-time-budget=5000 --user-data-dir="$work/profile" --window-size=1600,1000 \
        --dump-dom "file://$work/it%27s/frame.html" 2>chromium.log | sed -n 's/.*<pre id="seen">\(.*\)<\/pre>.*/\1/p'
}
expect() {
    [ "$1" = "$2" ] || fail "the page is: $1, expected: $2"
}
expect "$(where 1400 900 '#columns=policy,watts.e_net,nobody')" \
    "1400 wide, beside true, inside true, scrolls false, first column stays true, columns 2, policy first true"
expect "$(where 390 844 '#columns=*')" \
    "390 wide, beside false, inside true, scrolls true, first column stays true, columns $(head -n 1 "it's/results.csv" | tr ',' '\n' | grep -c .), policy first false"

# The command, as it stands there.
sed -n "s|^powar sim|\"$powar\" sim|p" seen.txt >command.sh
echo "$(cat command.sh) --json" | sh >again.json 2>again.log || fail "the command: $(cat command.sh)"
python3 - "$key" <<'END' || fail "the point's outcome is another"
import json, sys
kept = json.load(open(f"it's/points/{sys.argv[1]}.json"))["outcome"]
again = json.load(open("again.json"))
again = {name: again[name] for name in kept}
sys.exit(kept != again or kept["policy"] != "first-on")
END
echo "the page sorts, filters and repeats a point in $(chromium --version --no-sandbox 2>/dev/null | head -n 1)"
