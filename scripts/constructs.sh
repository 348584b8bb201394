#!/usr/bin/env bash
# Builds every program of subjects/constructs plainly (clang -O0), runs it, and writes its sidecar NAME.expect.
# With --check nothing is written: differences are printed, also those of gcc -O0 and clang -O2 (not for memory errors).
#
# A program is NAME.c, NAME.cpp, NAME.rs (by rustc), or a folder NAME with a Makefile that builds NAME in it. What it needs stands in its source as `//: key value` lines,
# which go to the sidecar; `@mark` in a value is the line that has `// mark`.
# Sidecar: `key: value` lines, then `stdout:` and the output to the end of the file. Keys:
#   make      folder to run make in (program: NAME in it)      flags     for compiling and linking
#   compiler  only this one can build it                       args env  words by spaces; NAME=value
#   stdin     text with \n                                     timeout   seconds, then killed: the status is `timeout`
#   memory    KIND [heap/stack/global] line LINE [size BYTES]: the first memory error that the replay finds
#   free      `ends`: what-if runs of it come to the end            output    `seen`: replays see all that it prints
#   refused   a recording stops with a message that has this word (the rest is the plain run)
#   status    exit status, `timeout`, or signal: SIGNAME
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
folder=$here/subjects/constructs
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
check=0; [ "${1-}" = --check ] && { check=1; shift; }
bad=0

# build NAME OUT COMPILER FLAGS...: the program's path on stdout
build() {
    local name=$1 out=$2 compiler=$3; shift 3
    mkdir -p "$out"
    local cxx=${compiler/clang/clang++}; cxx=${cxx/#gcc/g++}
    if [ -d "$folder/$name" ]; then
        cp -r "$folder/$name" "$out/" && make -s -C "$out/$name" CC="$compiler" CFLAGS="-w $*" CXX="$cxx" CXXFLAGS="-w $*" >&2 && echo "$out/$name/$name"
    elif [ -e "$folder/$name.cpp" ]; then
        # shellcheck disable=SC2086
        "$cxx" -w -std=gnu++17 "$@" -o "$out/$name" "$folder/$name.cpp" ${flags-} && echo "$out/$name"
    elif [ -e "$folder/$name.rs" ]; then
        local level=0; [[ " $* " = *" -O2 "* ]] && level=2
        # shellcheck disable=SC2086
        rustc -A warnings -C "opt-level=$level" -C debug-assertions=yes --edition 2021 --crate-name "$name" --out-dir "$out" ${flags-} "$folder/$name.rs" && echo "$out/$name"
    else
        # shellcheck disable=SC2086
        "$compiler" -w -std=gnu17 "$@" -o "$out/$name" "$folder/$name.c" ${flags-} && echo "$out/$name"
    fi
}

# run PROGRAM FOLDER: status and stdout as in the sidecar
run() {
    local program=$1 place=$2 status
    mkdir -p "$place"
    # shellcheck disable=SC2086
    ( exec 2>/dev/null; cd "$place" && ulimit -c 0 && printf '%b' "$stdin" | env $env timeout -s KILL "${timeout:-20}" "$program" $args >"$place/../stdout" 2>"$place/../stderr" )
    status=$?
    if [ -n "$timeout" ] && [ $status = 137 ]; then echo "status: timeout"
    elif [ $status -gt 128 ]; then echo "signal: SIG$(kill -l $((status - 128)))"
    else echo "status: $status"; fi
    echo "stdout:"
    cat "$place/../stdout"
    rm -rf "$place"
}

for path in "$folder"/*; do
    case $path in *.expect) continue ;; *.c | *.cpp | *.rs) name=$(basename "${path%.*}"); source=$path ;; *) name=$(basename "$path"); source=$(ls "$path"/main.*) ;; esac
    [ $# = 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
    flags= args= env= stdin= timeout= compiler= memory= refused=
    header=; [ -d "$path" ] && header="make: $name"$'\n'
    while IFS= read -r line; do
        line=${line#//: }; key=${line%% *}; value=${line#* }
        while [[ $value =~ @([a-z]+) ]]; do
            mark=${BASH_REMATCH[1]}
            value=${value/@$mark/$(grep -n "// $mark" "$source" | head -1 | cut -d: -f1)}
        done
        printf -v "$key" '%s' "$value"
        header+="$key: $value"$'\n'
    done < <(grep '^//: ' "$source")
    program=$(build "$name" "$work/plain" clang-22 -g -O0) || { echo "$name: does not build"; bad=1; continue; }
    run "$program" "$work/run" >"$work/result"
    { printf '%s' "$header"; cat "$work/result"; } >"$work/expect"
    if [ $check = 0 ]; then
        cmp -s "$work/expect" "$folder/$name.expect" || { cp "$work/expect" "$folder/$name.expect"; echo "$name: written"; }
        continue
    fi
    cmp -s "$work/expect" "$folder/$name.expect" || { echo "$name: not as in its sidecar"; diff "$folder/$name.expect" "$work/expect"; bad=1; }
    [ -z "$memory" ] || continue
    for other in "gcc -O0" "clang-22 -O2"; do
        [ -z "$compiler" ] || [[ $other = $compiler* ]] || continue
        # shellcheck disable=SC2086
        program=$(build "$name" "$work/other" $other) || { echo "$name: does not build with $other"; continue; }
        run "$program" "$work/run" >"$work/second"
        cmp -s "$work/result" "$work/second" || { echo "$name: differs with $other"; diff "$work/result" "$work/second" | head -10; }
        rm -rf "$work/other"
    done
done
exit $bad
