//! Projects that are built by CMake, Meson and the autotools with libtool.

mod subject;

use std::{fs, path::Path, process::Command};

use subject::{Subject, text};
use whydunit_capture::{Flavour, flavour_all, link_id_of};

const MAIN: &str = "#include <stdio.h>\nint helper(int); int api(int);\n\
                    int main(void) { printf(\"%d %d\\n\", helper(2), api(3)); return 0; }\n";

fn sources() -> Vec<(&'static str, &'static str)> {
    vec![
        ("main.c", MAIN),
        ("helper.c", "int helper(int x) { return x * 10; }\n"),
        ("api.c", "#include \"config.h\"\nint inner(int); int api(int x) { return inner(x) + OFFSET; }\n"),
        ("inner.c", "__attribute__((visibility(\"hidden\"))) int inner(int x) { return x * x; }\n"),
        ("plugin.c", "int plugin(void) { return 1; }\n"),
    ]
}

/// Every product has a copy that does the same; gives the names of the products.
fn check_copies(subject: &Subject, program: &str) -> Vec<String> {
    for report in flavour_all(&subject.store(), Flavour::Plain).unwrap() {
        report.unwrap_or_else(|error| panic!("{error}"));
    }
    let (id, _) = link_id_of(&subject.path(program)).unwrap();
    let copy = subject.store_path().join("flavours/plain").join(id);
    let output = text(&Command::new(&copy).output().unwrap());
    assert_eq!(output, "20 109\n");
    let listing = text(&Command::new("ldd").arg(&copy).output().unwrap());
    assert!(listing.contains(".whydunit/flavours/plain/lib/"), "{listing}");
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    subject.products().iter().map(|product| name(&product.path)).collect()
}

#[test]
fn cmake_with_make_and_with_ninja() {
    let mut files = sources();
    files.push((
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.10)\nproject(x C)\ninclude(CheckFunctionExists)\ncheck_function_exists(strlen HAVE)\n\
         file(WRITE ${CMAKE_BINARY_DIR}/config.h \"#define OFFSET 100\\n\")\ninclude_directories(${CMAKE_BINARY_DIR})\n\
         add_library(helper STATIC helper.c)\nadd_library(api SHARED api.c inner.c)\nset_target_properties(api PROPERTIES VERSION 1.2 SOVERSION 1)\n\
         add_library(plugin MODULE plugin.c)\nadd_executable(main main.c)\ntarget_link_libraries(main helper api)\n",
    ));
    for generator in ["Unix Makefiles", "Ninja"] {
        let subject = Subject::new(&files);
        let script =
            format!("cmake -S . -B b -G '{generator}' -DCMAKE_BUILD_TYPE=RelWithDebInfo && cmake --build b -j2");
        let report = subject.build(&["sh", "-c", &script]);
        assert_eq!(report.captured, 5, "{report:?}");
        assert_eq!(report.external, Vec::new());
        assert_eq!(report.uncaptured_products, Vec::<std::path::PathBuf>::new());
        assert_eq!(text(&subject.plain(&["b/main"])), "20 109\n");
        assert_eq!(check_copies(&subject, "b/main"), ["libapi.so.1.2", "libplugin.so", "main"]);
        // Without us the build folder is good, too.
        subject.write("helper.c", "int helper(int x) { return x * 11; }\n");
        text(&subject.plain(&["cmake", "--build", "b"]));
        assert_eq!(text(&subject.plain(&["b/main"])), "22 109\n");
    }
}

#[test]
fn meson() {
    let mut files = sources();
    files.push((
        "meson.build",
        "project('x', 'c', version: '1')\ncc = meson.get_compiler('c')\ncc.has_function('strlen')\nc = configuration_data()\nc.set('OFFSET', 100)\n\
         configure_file(output: 'config.h', configuration: c)\nh = static_library('helper', 'helper.c')\n\
         a = shared_library('api', 'api.c', 'inner.c', version: '1.2.3', soversion: '1')\nshared_module('plugin', 'plugin.c')\n\
         executable('main', 'main.c', link_with: [h, a])\n",
    ));
    let subject = Subject::new(&files);
    let report = subject.build(&["sh", "-c", "meson setup b && ninja -C b"]);
    assert_eq!(report.captured, 5, "{report:?}");
    assert_eq!(report.external, Vec::new());
    assert_eq!(report.problems, Vec::<String>::new());
    assert_eq!(text(&subject.plain(&["b/main"])), "20 109\n");
    assert_eq!(check_copies(&subject, "b/main"), ["libapi.so.1.2.3", "libplugin.so", "main"]);
}

#[test]
fn autotools_with_libtool_relinking_on_install() {
    let mut files = sources();
    files.push((
        "configure.ac",
        "AC_INIT([x], [1.0])\nAM_INIT_AUTOMAKE([foreign subdir-objects])\nLT_INIT\nAC_PROG_CC\nAC_CHECK_FUNCS([strlen])\n\
         AC_DEFINE([OFFSET], [100], [an offset])\nAC_CONFIG_HEADERS([config.h])\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n",
    ));
    files.push((
        "Makefile.am",
        "noinst_LTLIBRARIES = libhelper.la\nlibhelper_la_SOURCES = helper.c\nlib_LTLIBRARIES = libapi.la libplugin.la libtop.la\nlibapi_la_SOURCES = api.c inner.c\n\
         libapi_la_LDFLAGS = -version-info 3:0:1\nlibtop_la_SOURCES = top.c\nlibtop_la_LIBADD = libapi.la\nlibplugin_la_SOURCES = plugin.c\nlibplugin_la_LDFLAGS = -module -avoid-version\n\
         bin_PROGRAMS = main\nmain_SOURCES = main.c\nmain_LDADD = libhelper.la libapi.la\n",
    ));
    files.push(("top.c", "int api(int); int top(void) { return api(1); }\n"));
    let subject = Subject::new(&files);
    text(&subject.plain(&["autoreconf", "-i"]));
    let prefix = subject.path("installed");
    let script = format!("mkdir b && cd b && ../configure --prefix={} && make -j2 && make install", prefix.display());
    let report = subject.build(&["sh", "-c", &script]);
    // Libraries are compiled twice: position-independent and not.
    assert_eq!(report.captured, 1 + 5 + 5, "{}", fs::read_to_string(subject.store().build_events("0001")).unwrap());
    assert_eq!(report.problems, Vec::<String>::new());
    assert_eq!(report.external, Vec::new());
    assert_eq!(text(&subject.plain(&["b/main"])), "20 109\n");
    assert_eq!(text(&subject.plain(&["installed/bin/main"])), "20 109\n");

    // The wrapper leads to the program in .libs; what is installed is known as well.
    let wrapper = subject.product("b/main");
    assert_eq!(wrapper.path, subject.path("b/.libs/main"));
    assert_eq!(subject.sources(&wrapper), ["helper.c", "main.c"]);
    let top = subject.product("installed/lib/libtop.so");
    assert_eq!(subject.sources(&top), ["top.c"]);
    check_copies(&subject, "b/main");
    check_copies(&subject, "installed/bin/main");
    // Nothing but the store and what the build makes appears in the project.
    let plain: Vec<_> = fs::read_dir(subject.root()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert!(plain.iter().all(|name| name != "a.out"), "{plain:?}");
}
