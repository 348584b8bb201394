# jsoncpp 1.9.5, C++, with its own unit tests, one process each, and its own documents (Debian source package libjsoncpp 1.9.5).
jsoncpp_unpack() {
    local tarball
    tarball=$(fetch_debian libjsoncpp libjsoncpp_1.9.5.orig.tar.gz f409856e5920c18d0c2fb85276e24ee607d2a09b5e7d5f0a371368903c275da2) || return 1
    unpack "$tarball" "$1"
}
jsoncpp_steps() {
    cat <<'STEPS'
flags="$CFLAGS -std=c++11 -Iinclude"
for part in reader value writer; do g++ $flags -c -o $part.o src/lib_json/json_$part.cpp & done; wait
ar rcs libjsoncpp.a reader.o value.o writer.o && cd src &&
g++ $flags -I../include -o ../jsontestrunner jsontestrunner/main.cpp ../libjsoncpp.a &&
g++ $flags -I../include -o ../jsoncpp_test test_lib_json/main.cpp test_lib_json/jsontest.cpp test_lib_json/fuzz.cpp ../libjsoncpp.a
STEPS
}
jsoncpp_workloads() {
    local name document folder
    for name in $("$base/plain/jsoncpp_test" --list-tests); do
        work ci "$(printf %s "$name" | tr / -)" "./jsoncpp_test --test $name"
    done
    for document in "$base"/plain/test/data/*.json "$base"/plain/test/jsonchecker/*.json; do
        folder=$(basename "$(dirname "$document")")
        name=$(basename "$document" .json)
        # The runner writes what it has read beside the document.
        work full "$folder-$name" "cp test/$folder/$name.json $name.json && ./jsontestrunner $name.json; cat $name.actual $name.rewrite"
    done
}
