# tinyxml2 9.0.0, C++, with its own test program and a driver of ours (Debian source package tinyxml2 9.0.0).
tinyxml2_unpack() {
    local tarball
    tarball=$(fetch_debian tinyxml2 tinyxml2_9.0.0+dfsg.orig.tar.xz 96510f47a5db537f70dff3e83dd71fd2180cbba4aa76c589a549467e7f34bc9b) || return 1
    unpack "$tarball" "$1"
    mkdir -p "$1/resources/out" && cp "$workloads/tinyxml2/outline.cpp" "$1/"
}
# The driver is one more program on top of their make file.
tinyxml2_steps() { echo 'export CXXFLAGS="$CFLAGS -fPIC"; make -j2 && g++ $CXXFLAGS -o outline outline.cpp libtinyxml2.a'; }
tinyxml2_workloads() {
    local file query number=0
    for file in "$workloads"/tinyxml2/*.xml; do
        for query in outline compact count text attributes remove; do
            work ci "$query-$(basename "$file" .xml)" "./outline $query $file"
        done
    done
    while IFS= read -r query; do
        number=$((number + 1))
        work ci "error-$number" "printf '%s' $(printf %q "$query") >broken-$number.xml; ./outline outline broken-$number.xml"
    done <"$workloads/tinyxml2/broken.txt"
    work ci missing "./outline outline nosuch.xml; ./outline; ./outline nothing $workloads/tinyxml2/books.xml"
    # Their program prints how long it took.
    work full xmltest "./xmltest | grep -v '^Parsing dream'"
}
