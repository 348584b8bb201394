# jq 1.6 with its shared libjq (Debian source package jq 1.6).
jq_unpack() {
    local tarball
    tarball=$(fetch_debian jq jq_1.6.orig.tar.gz 3ba940b97571c866923f0409678033d33b5a98758dfc174fad8397ed908bc4d9) || return 1
    unpack "$tarball" "$1"
    # Its configure script is made by autoreconf; that is not part of the captured build.
    (cd "$1" && autoreconf -fi >autoreconf.log 2>&1) || die "jq needs autoconf, automake and libtool"
}
jq_steps() { echo './configure --with-oniguruma=no --disable-maintainer-mode --disable-docs --disable-static && make -j2 jq_LDFLAGS= && make jq_LDFLAGS= tests/.x 2>/dev/null; test -x jq'; }
jq_workloads() {
    local filter number=0
    while IFS= read -r filter; do
        number=$((number + 1))
        work ci "filter-$number" "./jq -cS $(printf %q "$filter") $workloads/jq/input.json"
    done <"$workloads/jq/filters.txt"
    work ci options "./jq -n --arg a x --argjson b '{\"k\":[1]}' '[\$a, \$b.k[0]]'; printf '1 2\n[3]' | ./jq -s .; ./jq -R . $workloads/awk/input.txt | ./jq -r length | cksum; ./jq --tab . $workloads/jq/input.json | cksum; ./jq -e .nosuch $workloads/jq/input.json"
    work ci errors "echo '{' | ./jq .; ./jq '.a |' </dev/null; ./jq . nosuch.json; echo '[1' | ./jq --seq .; echo '1' | ./jq '.[0]'"
    work ci base64 "./jq --run-tests tests/base64.test | tail -1"
    work ci modules "./jq -L tests/modules -nc 'import \"a\" as foo; import \"b\" as bar; def fooa: foo::a; [fooa, bar::a, bar::b, foo::a]' 2>&1 | head -3"
    work full suite-jq "./jq -L tests/modules --run-tests tests/jq.test | tail -1"
    work full suite-man "./jq --run-tests tests/man.test 2>/dev/null | tail -1; NO_VALGRIND=1 sh tests/shtest >/dev/null 2>&1; echo shtest \$?; NO_VALGRIND=1 sh tests/utf8test >/dev/null 2>&1; echo utf8test \$?; NO_VALGRIND=1 sh tests/optionaltest 2>/dev/null | tail -1"
    work full sort-long "./jq -n '[range(60000) | . * 7919 % 100003] | sort | .[30000], (group_by(. % 10) | map(length))' | cksum"
    work full loop-long "./jq -n 'def f: if . < 2 then . else (. - 1 | f) + (. - 2 | f) end; 19 | f'"
    work full text-long "./jq -n '[range(20000) | tostring | explode | implode] | join(\",\") | split(\",\") | map(tonumber) | add'"
}
