# yaml-cpp 0.7.0, C++, with its own tests on the system's GoogleTest, one process for each group of them (Debian source package yaml-cpp 0.7.0).
yamlcpp_unpack() {
    local tarball
    [ -e /usr/lib/x86_64-linux-gnu/libgmock.a ] || { say "yamlcpp needs the package libgmock-dev"; return 1; }
    tarball=$(fetch_debian yaml-cpp yaml-cpp_0.7.0+dfsg.orig.tar.xz dc63708605404e0b963e0ca3a9619d1c8270eda2839603e6fa0384e5e51e5312) || return 1
    unpack "$tarball" "$1" && mkdir -p "$1/objects"
}
yamlcpp_steps() {
    cat <<'STEPS'
export FLAGS="$CFLAGS -std=c++14 -Iinclude -Isrc -Itest -Itest/integration"
ls src/*.cpp test/*.cpp test/integration/*.cpp test/node/*.cpp | xargs -P2 -I{} sh -c 'g++ $FLAGS -c -o objects/$(echo {} | tr / -).o {}' &&
ar rcs libyaml-cpp.a objects/src-*.o && g++ -o run-tests objects/test-*.o libyaml-cpp.a -lgmock -lgtest -lpthread
STEPS
}
yamlcpp_workloads() {
    local group name
    "$base/plain/run-tests" --gtest_list_tests | while IFS= read -r name; do
        case $name in
        ' '*) case $group in
            # Of the generated tests of the emitter, which are alike, some.
            GenEmitterTest.) case $name in *0) ;; *) continue ;; esac ;;
            esac
            name=${name# } name=${name# } name=${name%% *}
            work full "$(printf %s "$group$name" | tr / -)" "./run-tests --gtest_brief=1 --gtest_filter=$group$name | grep -v ' ms total'" ;;
        *) group=${name%% *}; work ci "$(printf %s "${name%% *}all" | tr / -)" "./run-tests --gtest_brief=1 --gtest_filter=${name%% *}* | grep -v ' ms total'" ;;
        esac
    done
}
