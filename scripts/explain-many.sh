#!/usr/bin/env bash
# Measures `whydunit explain` on regressions that scripts/real.sh laid out: a row for each as Markdown, with what is counted and not what the clock says.
#
# explain-many.sh CATALOGUE [NAME...]
# WHYDUNIT: the binary [target/release/whydunit]. BUILDS, WITHIN: the limits in versions and seconds [60, 600].
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
whydunit=${WHYDUNIT:-$here/target/release/whydunit}
[ $# -ge 1 ] || { echo 'usage: explain-many.sh CATALOGUE [NAME...]' >&2; exit 1; }
[ -x "$whydunit" ] || { echo "explain-many: $whydunit is not there: make it with cargo build --release, or set WHYDUNIT" >&2; exit 1; }
catalogue=$(cd "$1" && pwd) || exit 1
shift
names=("$@")
[ ${#names[@]} -gt 0 ] || mapfile -t names < <(cd "$catalogue" && for truth in */truth.json; do dirname "$truth"; done)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
echo '| regression | changes | reported | true change | builds, of which failed | processor seconds |'
echo '|---|---|---|---|---|---|'
for name in "${names[@]}"; do
    rm -rf "$place/now" && cp -r "$catalogue/$name" "$place/now" || exit 1
    test=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1])).get("test", ""))' "$place/now/truth.json")
    ( cd "$place/now/bad" && bash -c 'time "$@"' time "$whydunit" explain ${test:+"$test"} --good ../good --format json \
        --builds "${BUILDS:-60}" --within "${WITHIN:-600}" ) >"$place/answer.json" 2>"$place/told"
    python3 - "$name" "$place" <<'PYTHON'
import json, re, sys
name, place = sys.argv[1:]
told = open(f"{place}/told").read()
minutes = re.findall(r"^(?:user|sys)\s+(\d+)m([\d.]+)s", told, re.M)
seconds = sum(60 * int(m) + float(s) for m, s in minutes[-2:])
try:
    answer = json.load(open(f"{place}/answer.json"))
except ValueError:
    print(f"| {name} | no answer | | | | {seconds:.0f} |")
    sys.exit()
fault = json.load(open(f"{place}/now/truth.json"))["fault"]
root, also, variants = answer["root"], answer["auxiliary"], answer["variants"]
def holds(change, line):
    lines = sum(text.startswith("+") for text in change["diff"].splitlines())
    return change["file"] == line["file"] and change["line"] <= line["line"] < change["line"] + max(lines, 1)
true = any(holds(change, line) for change in root + also for line in fault)
lines = sum(len(change["diff"].splitlines()) for change in root)
reported = f"{len(root)}" + (f"+{len(also)}" if also else "") + f", {lines} lines"
if not answer["reduced"]:
    reported, true = f"not reduced: {len(root)}", None
built = sum(variants[key] for key in ("passed", "failed", "other", "not_built"))
said = {True: "yes", False: "no", None: "-"}[true]
print(f"| {name} | {answer['changes']} | {reported} | {said} | {built}, {variants['not_built']} | {seconds:.0f} |")
PYTHON
done
