# leveldb 1.23, C++, with threads (Debian source package leveldb 1.23-4). Sourced by suites.sh and bench.sh.
leveldb_unpack() {
    local tarball
    tarball=$(fetch_debian leveldb=1.23-4 leveldb_1.23.orig.tar.gz 9a37f8a6174f09bd622bc723b55881dc541cd50747cbd08831c2a82d620f6d76) && unpack "$tarball" "$1"
}
# The compiler is the one of that name in PATH.
leveldb_steps() { echo 'CXX=g++ CC=$CC CXXFLAGS=$CFLAGS cmake -DLEVELDB_BUILD_TESTS=OFF . && make -j2 db_bench'; }
