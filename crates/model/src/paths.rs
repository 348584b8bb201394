//! Paths of source files: which of them are the system's.

/// A path of the system without its detours (`/usr/lib/gcc/../../include`): compilers name the same header in many ways.
/// Others are left as they are: what they lead over may be a symbolic link.
pub fn plain(path: &str) -> String {
    if !path.starts_with("/usr/") || !path.contains("/../") {
        return path.to_owned();
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        match part {
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

/// Where Rust's own library was built, where its sources are installed, and where cargo keeps the crates of others.
const RUST: &[&str] = &["/lib/rustlib/src/", "/.cargo/registry/src/", "/.cargo/git/checkouts/", "/cargo/registry/src/"];

/// Whether a source file is a header of the system's libraries, or one of a library that cargo has got, and no part of
/// the project.
pub fn is_library(path: &str) -> bool {
    ["/usr/include/", "/usr/local/include/", "/usr/lib/", "/rustc/", "/rust/deps/"]
        .iter()
        .any(|folder| path.starts_with(folder))
        || RUST.iter().any(|folder| path.contains(folder))
}

/// Files of test frameworks of C and C++, which projects keep copies of.
const FRAMEWORKS: &[&str] = &[
    "gtest.h",
    "gtest.cc",
    "gtest_main.cc",
    "gtest_prod.h",
    "gtest_pred_impl.h",
    "gmock.h",
    "gmock.cc",
    "gmock_main.cc",
    "catch.hpp",
    "catch_amalgamated.hpp",
    "catch_amalgamated.cpp",
    "doctest.h",
    "unity.c",
    "unity.h",
    "unity_internals.h",
    "munit.c",
    "munit.h",
    "acutest.h",
    "CuTest.c",
    "CuTest.h",
    "greatest.h",
    "utest.h",
];

/// Whether a source file belongs to a test framework by its name, wherever a copy of it lies: it is no part of what is tested.
pub fn is_framework(path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    FRAMEWORKS.contains(&name)
        || ["gtest-", "gmock-"].iter().any(|start| name.starts_with(start))
            && (name.ends_with(".h") || name.ends_with(".cc"))
        || name.starts_with("catch_") && folder.split('/').any(|part| part == "catch2")
        || folder.split('/').any(|part| part == "doctest") && name.starts_with("doctest")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_the_system_are_known_whatever_way_leads_to_them() {
        let header = plain("/usr/lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/bits/stl_vector.h");
        assert_eq!(header, "/usr/include/c++/12/bits/stl_vector.h");
        assert_eq!(plain("/home/me/build/../src/a.cpp"), "/home/me/build/../src/a.cpp");
        assert!(is_library("/rustc/59807616e1/library/core/src/ptr/mod.rs"));
        assert!(is_library("/rust/deps/hashbrown-0.16.1/src/map.rs"));
        assert!(is_library("/root/.cargo/registry/src/index.crates.io-1949/semver-1.0.28/src/lib.rs"));
        assert!(
            is_framework("/usr/src/googletest/googletest/src/gtest-printers.cc")
                && is_framework("third_party/catch.hpp")
        );
        assert!(is_framework("lib/catch2/internal/catch_run_context.cpp") && !is_framework("src/catch_all.cpp"));
        assert!(!is_framework("test/gtest_list.cc") && !is_framework("src/list.c"));
        assert!(is_library(&header) && !is_library("/home/me/usr/include/a.h") && !is_library("a.cpp"));
    }
}
