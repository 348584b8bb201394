# The benchmarks: per program the inputs (made once), and the command. Sourced by bench.sh.
# NAME_command runs one to two seconds at -O2, NAME_short some 10^9 instructions.
# The commands run in the build folder, with $inputs where the inputs lie and $workloads for the scripts.

bench_zlib_inputs() { "$workloads/zlib/make_input.sh" "$1" 280; }
bench_zlib_short() { echo 'head -c 6000000 $inputs/mixed | ./minigzip -6 >/dev/null'; }
bench_zlib_command() { echo './minigzip -6 <$inputs/mixed >$out/z.gz && ./minigzip -d <$out/z.gz >/dev/null'; }

bench_lua_inputs() {
    cat >"$1/all.lua" <<'L'
local folder = ...
for _, run in ipairs { { "fib", 34 }, { "sort", 120000 }, { "strings", 15000 }, { "tables", 8000 }, { "queens", 11 }, { "matrix", 200 }, { "mandelbrot", 400 }, { "sieve", 400000 }, { "json", 1500 }, { "closures" } } do
    assert(loadfile(folder .. "/" .. run[1] .. ".lua"))(run[2])
end
L
}
bench_lua_short() { echo './lua $workloads/lua/json.lua 1300'; }
bench_lua_command() { echo './lua $inputs/all.lua $workloads/lua'; }

bench_sqlite_inputs() {
    { sed 's/60000/600000/' "$workloads/sqlite/load.sql"; cat "$workloads/sqlite/recursive.sql"; } >"$1/load.sql"
}
bench_sqlite_short() { echo './shell :memory: $workloads/sqlite/recursive.sql'; }
bench_sqlite_command() { echo './shell :memory: $inputs/load.sql'; }

bench_bc_inputs() {
    cat >"$1/run.bc" <<'B'
scale = 1300
4 * a(1)
e(1.5)
scale = 0
for (i = 2; i < 70000; i++) { f = 1; for (j = 2; j * j <= i; j++) if (i % j == 0) { f = 0; break }; c += f }
c
B
}
bench_bc_short() { echo 'echo "scale = 1000; 4 * a(1)" | bc/bc -l'; }
bench_bc_command() { echo 'bc/bc -l $inputs/run.bc </dev/null'; }

bench_gawk_inputs() { "$workloads/zlib/make_input.sh" "$1" 100; }
bench_gawk_short() { echo './gawk -v N=26 -f $workloads/awk/functions.awk'; }
bench_gawk_command() { echo './gawk -v N=300000 -f $workloads/awk/numbers.awk; ./gawk -f $workloads/awk/words.awk $inputs/text; ./gawk -v N=30 -f $workloads/awk/functions.awk; true'; }

# Only the program that is measured.
bench_pugixml_steps() { echo 'g++ $CFLAGS -Isrc -o parse src/pugixml.cpp driver.cpp tests/fuzz_parse.cpp'; }
bench_pugixml_inputs() {
    awk 'BEGIN { print "<list>"; for (i = 0; i < 60000; i++) printf "<item number=\"%d\" key=\"k%d\"><name>name &lt;%d&gt;</name><text>some words of item %d</text></item>\n", i, i % 97, i * 7919 % 1000, i; print "</list>" }' >"$1/list.xml"
    head -c 700000 "$1/list.xml" >"$1/short.xml"
}
bench_pugixml_short() { echo './parse $inputs/short.xml'; }
bench_pugixml_command() { echo './parse $inputs/list.xml $inputs/list.xml'; }

bench_jsoncpp_steps() { echo 'g++ $CFLAGS -std=c++11 -Iinclude -o jsontestrunner src/jsontestrunner/main.cpp src/lib_json/json_*.cpp'; }
bench_jsoncpp_inputs() {
    awk 'BEGIN { print "["; for (i = 0; i < 60000; i++) printf "%s{\"number\": %d, \"part\": %d.5e-3, \"name\": \"n\\u00e9%d\", \"list\": [true, null, [%d, \"x\"]]}\n", i ? "," : "", i, i * 31, i * 7919 % 1000, i; print "]" }' >"$1/list.json"
    { head -n 3000 "$1/list.json"; echo "]"; } >"$1/short.json"
}
# The runner writes what it has read beside the document.
bench_jsoncpp_short() { echo 'cp $inputs/short.json s.json && ./jsontestrunner s.json'; }
bench_jsoncpp_command() { echo 'cp $inputs/list.json l.json && ./jsontestrunner l.json && cksum l.actual l.rewrite'; }

# Two threads, and one of the library's own. What it prints are times.
# Compacted first, or what is read depends on how far the thread in the background has come.
bench_leveldb_inputs() { :; }
bench_leveldb_short() { echo './db_bench --db=$out/short --num=10000 --threads=2 --benchmarks=fillrandom,readrandom'; }
bench_leveldb_command() { echo './db_bench --db=$out/db --num=100000 --threads=2 --benchmarks=fillrandom,compact,readrandom,readseq,crc32c >/dev/null 2>&1; rm -rf $out/db'; }

bench_serde_json_inputs() { :; }
bench_serde_json_short() { echo 'target/*/*/program 8'; }
bench_serde_json_command() { echo 'target/*/*/program 300'; }

bench_regex_syntax_inputs() { :; }
bench_regex_syntax_short() { echo 'target/*/*/program 40'; }
bench_regex_syntax_command() { echo 'target/*/*/program 6000'; }

bench_crossbeam_channel_inputs() { :; }
bench_crossbeam_channel_short() { echo 'target/*/*/program 20000'; }
bench_crossbeam_channel_command() { echo 'target/*/*/program 800000'; }
