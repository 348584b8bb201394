# pugixml 1.13, C++, with its own test program and fuzz targets, and a driver of ours (Debian source package pugixml 1.13).
pugixml_unpack() {
    local tarball
    tarball=$(fetch_debian pugixml pugixml_1.13.orig.tar.gz 5c5ad5d7caeb791420408042a7d88c2c6180781bf218feca259fd9d840a888e1) || return 1
    unpack "$tarball" "$1"
    cp "$workloads/pugixml/driver.cpp" "$1/"
}
pugixml_steps() {
    cat <<'STEPS'
g++ $CFLAGS -c -o pugixml.o src/pugixml.cpp &&
for target in parse xpath; do g++ $CFLAGS -Isrc -o $target driver.cpp tests/fuzz_$target.cpp pugixml.o || exit 1; done
ls tests/*.cpp | grep -v fuzz_ | xargs -P2 -I{} sh -c 'g++ $CFLAGS -std=c++11 -c -o {}.o {}' && g++ -o test tests/*.o pugixml.o
STEPS
}
pugixml_workloads() {
    local document query number=0
    for document in "$base"/plain/tests/data/* "$base"/plain/tests/data_fuzz_*/* "$base"/plain/docs/samples/*.xml "$workloads"/tinyxml2/*.xml; do
        document=${document#"$base/plain/"}
        work ci "parse-$(basename "$document")" "./parse $document"
    done
    while IFS= read -r query; do
        number=$((number + 1))
        work ci "xpath-$number" "printf '%s' $(printf %q "$query") >query-$number; ./xpath query-$number"
    done <"$workloads/pugixml/queries.txt"
    work full test "./test"
}
