# Lua 5.4 (the C inside crate lua-src, which is the library only: main.c and the make file are ours).
lua_unpack() {
    local source
    source=$(fetch_crate lua-src 547.0.0 1edaf29e3517b49b8b746701e5648ccb5785cde1c119062cbabbc5d5cd115e42) || return 1
    rm -rf "$1" && cp -r "$source/lua-5.4.7" "$1" && cp "$workloads/lua/main.c" "$1/main.c"
    cat >"$1/Makefile" <<'M'
OBJECTS = $(patsubst %.c,%.o,$(filter-out main.c,$(wildcard *.c)))
CFLAGS ?= -O2
lua: main.o liblua.a
	$(CC) -o $@ main.o liblua.a -lm -ldl -Wl,-E
liblua.a: $(OBJECTS)
	$(AR) rcs $@ $(OBJECTS)
%.o: %.c
	$(CC) $(CFLAGS) -DLUA_USE_POSIX -DLUA_USE_DLOPEN -c -o $@ $<
M
}
lua_steps() { echo 'make -j2'; }
lua_workloads() {
    local script
    for script in "$workloads"/lua/*.lua; do
        work ci "$(basename "$script" .lua)" "./lua $script"
    done
    work ci chunk "./lua -e 'print(6 * 7, _VERSION) error(\"on purpose\")'"
    work ci missing "./lua nosuch.lua"
    work full fib-long "./lua $workloads/lua/fib.lua 29"
    work full sort-long "./lua $workloads/lua/sort.lua 60000"
    work full strings-long "./lua $workloads/lua/strings.lua 20000"
    work full tables-long "./lua $workloads/lua/tables.lua 20000"
    work full queens-long "./lua $workloads/lua/queens.lua 8"
    work full matrix-long "./lua $workloads/lua/matrix.lua 90"
    work full mandelbrot-long "./lua $workloads/lua/mandelbrot.lua 200"
    work full gc-long "./lua $workloads/lua/gc.lua 3000"
    work full sieve-long "./lua $workloads/lua/sieve.lua 600000"
    work full json-long "./lua $workloads/lua/json.lua 1500"
}
