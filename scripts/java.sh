#!/usr/bin/env bash
# The tables of the manual's chapter on Java: enriched models of classes beside the thesis's (7.2), and what tracing costs beside its 5.1.
# usage: scripts/java.sh models|overhead   (WHYDUNIT names the program; Debian's libmail-java, librhino-java and libaspectj-java are needed)
set -euo pipefail

here=$(cd "$(dirname "$0")/.." && pwd)
whydunit=${WHYDUNIT:-$here/target/release/whydunit}
jars=/usr/share/java
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
path=classes:$jars/junit4.jar:$jars/hamcrest.jar:$jars/javax.mail.jar:$jars/javax.activation.jar
mkdir classes
javac -g -nowarn -Xlint:none -cp "$path" -d classes "$here"/subjects/java/{tables,work}/*.java 2>/dev/null

# States but for start and ex, and transitions by state, method and end: what the tests know, and what is known with what was tried.
count='
import json, sys
answer = json.load(sys.stdin)
def ends(transitions):
    found = {(it["from"], it["method"], it["to"]) for it in transitions}
    failing = sum(to == "ex" for _, _, to in found)
    return f"{len(found) - failing} and {failing}"
states = [it for it in answer["states"] if it["name"] != "start"]
known = sum(not it["new"] for it in states)
before, after = ends([it for it in answer["transitions"] if it["seen"]]), ends(answer["transitions"])
runs, seconds = answer["calls"], answer["stats"]["seconds"]
print(f"{sys.argv[1]}: {runs} runs; states {known} -> {len(states)}; regular and failing {before} -> {after}; {seconds:.0f} s")
'

models() {
    local class test
    while read -r class test; do
        "$whydunit" --format json enrich "$class" --java -- java -cp "$path" org.junit.runner.JUnitCore "$test" |
            python3 -c "$count" "$class"
    done <<'EOF'
com.sun.mail.smtp.SMTPTransport MailTest
LoginTest$Module LoginTest
java.security.Signature SignatureTest
java.util.zip.ZipOutputStream ZipOutputTest
java.net.Socket SocketTest
EOF
}

# Seconds of the processor for a command.
seconds() { { TIMEFORMAT=%U; time "$@" >/dev/null 2>&1; } 2>&1; }

overhead() {
    cat >work.js <<'EOF'
function Node(v) { this.v = v; this.l = null; this.r = null; }
Node.prototype.add = function (v) { var k = v < this.v ? 'l' : 'r'; if (this[k]) this[k].add(v); else this[k] = new Node(v); };
var tree = new Node(500), x = 7;
for (var i = 0; i < 3000; i++) { x = (x * 1103515245 + 12345) % 2147483648; tree.add(x % 1000); }
var sieve = []; for (var i = 2; i < 20000; i++) sieve[i] = true;
for (var i = 2; i < 150; i++) if (sieve[i]) for (var j = i * i; j < 20000; j += i) sieve[j] = false;
print(JSON.stringify(tree).length);
EOF
    echo 'public class Bean { private int x; public int x() { return x; } public void set(int to) { x = to; } }' >Bean.java
    echo 'public aspect Told { before(): execution(* Bean.*(..)) { System.out.println(thisJoinPoint); } }' >Told.java
    local name class command
    while IFS='|' read -r name class command; do
        read -ra words <<<"$command"
        printf '%s %s: plain %s s, ' "$name" "${class:-all classes}" "$(seconds java "${words[@]}")"
        printf 'traced and mined %s s, ' "$(seconds "$whydunit" mine ${class:+"$class"} --events events --java -- java "${words[@]}")"
        printf '%s bytes of events, compressed\n' "$(stat -c %s events)"
    done <<EOF
transform||-cp classes Work transform
transform|Work.Transform|-cp classes Work transform
tree||-cp classes Work tree
tree|Work.Node|-cp classes Work tree
Rhino||-cp $jars/js.jar org.mozilla.javascript.tools.shell.Main -opt -1 work.js
Rhino|org.mozilla.javascript.NativeArray|-cp $jars/js.jar org.mozilla.javascript.tools.shell.Main -opt -1 work.js
AspectJ||-cp $jars/aspectjtools.jar org.aspectj.tools.ajc.Main -1.8 -cp $jars/aspectjrt.jar -d out Bean.java Told.java
AspectJ|org.aspectj.weaver.bcel.BcelWeaver|-cp $jars/aspectjtools.jar org.aspectj.tools.ajc.Main -1.8 -cp $jars/aspectjrt.jar -d out Bean.java Told.java
EOF
}

case "${1-}" in
    models) models ;;
    overhead) overhead ;;
    *) sed -n '2,3s/^# //p' "$0" >&2; exit 2 ;;
esac
