# SQLite (sqlite3.c inside crate libsqlite3-sys; the shell is ours).
sqlite_unpack() {
    local source
    source=$(fetch_crate libsqlite3-sys 0.30.1 2e99fb7a497b1e3339bc746195567ed8d3e24945ecd636e3619d20b9de9e9149) || return 1
    rm -rf "$1" && cp -r "$source/sqlite3" "$1" && cp "$workloads/sqlite/shell.c" "$1/shell.c"
    cat >"$1/Makefile" <<'M'
CFLAGS ?= -O2
FEATURES = -DSQLITE_THREADSAFE=0 -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_RTREE -DSQLITE_ENABLE_MATH_FUNCTIONS -DSQLITE_OMIT_LOAD_EXTENSION
shell: shell.o sqlite3.o
	$(CC) -o $@ shell.o sqlite3.o -lm
%.o: %.c
	$(CC) $(CFLAGS) $(FEATURES) -c -o $@ $<
M
}
sqlite_steps() { echo 'make'; }
sqlite_workloads() {
    local script name when
    for script in "$workloads"/sqlite/*.sql; do
        name=$(basename "$script" .sql) when=ci
        [ "$name" = load ] && when=full
        work $when "$name-memory" "./shell :memory: $script"
        work $when "$name-file" "rm -f $name.db $name.db-journal; ./shell $name.db $script && ./shell $name.db $script | cksum"
    done
    work ci journal "rm -f j.db*; echo 'PRAGMA journal_mode=WAL; CREATE TABLE t(a); INSERT INTO t VALUES (1),(2); SELECT count(*) FROM t; PRAGMA wal_checkpoint; PRAGMA journal_mode=DELETE;' | ./shell j.db; echo 'SELECT sum(a) FROM t;' | ./shell j.db"
    work ci damaged "head -c 5000 /dev/zero | tr '\\\\0' 'x' >bad.db; echo 'SELECT * FROM sqlite_master;' | ./shell bad.db"
}
