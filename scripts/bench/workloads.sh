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
