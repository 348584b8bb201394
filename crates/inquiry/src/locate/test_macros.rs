//! How sources of C and C++ use test frameworks: by what they include, and by the macros and functions that they write then.

/// A test framework: what the path of its header has, and how words begin that only tests write.
#[derive(Debug)]
struct Framework {
    header: &'static str,
    words: &'static [&'static str],
}

const GOOGLETEST: &[&str] = &["EXPECT_", "ASSERT_", "RUN_ALL_TESTS", "InitGoogle"];
const CATCH2: &[&str] = &["REQUIRE", "CHECK", "SECTION", "INFO", "FAIL"];

const FRAMEWORKS: &[Framework] = &[
    Framework { header: "gtest/", words: GOOGLETEST },
    Framework { header: "gmock/", words: GOOGLETEST },
    Framework { header: "catch", words: CATCH2 },
    Framework { header: "doctest", words: &["REQUIRE", "CHECK", "SUBCASE", "INFO", "FAIL"] },
    Framework { header: "boost/test/", words: &["BOOST_CHECK", "BOOST_REQUIRE", "BOOST_TEST", "BOOST_FAIL"] },
    Framework {
        header: "CppUTest/",
        words: &[
            "CommandLineTestRunner",
            "TEST_GROUP",
            "CHECK",
            "LONGS_EQUAL",
            "STRCMP_EQUAL",
            "POINTERS_EQUAL",
            "DOUBLES_EQUAL",
        ],
    },
    Framework { header: "check.h", words: &["ck_", "fail_if", "fail_unless", "srunner_", "suite_", "tcase_"] },
    Framework { header: "CUnit/", words: &["CU_"] },
    Framework { header: "unity.h", words: &["TEST_ASSERT", "RUN_TEST", "UNITY_", "UnityBegin", "UnityEnd"] },
    Framework { header: "cmocka.h", words: &["assert_", "cmocka_", "will_return", "expect_"] },
];

/// The frameworks that a source uses.
#[derive(Clone, Debug)]
pub struct Used(Vec<&'static Framework>);

impl Used {
    /// By the `#include`s of a source.
    pub fn by(source: &str) -> Self {
        let included = |line: &str| {
            let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim();
            let path = rest.get(1..)?.split(['>', '"']).next()?.to_owned();
            Some(path)
        };
        let headers: Vec<String> = source.lines().filter_map(included).collect();
        let is_of = |framework: &&Framework| {
            headers.iter().any(|path| {
                path.match_indices(framework.header).any(|(at, _)| at == 0 || path.as_bytes()[at - 1] == b'/')
            })
        };
        Self(FRAMEWORKS.iter().filter(is_of).collect())
    }

    /// Whether it uses none.
    pub fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a line of such a source has what only tests write.
    pub fn is_of_test(&self, line: &str) -> bool {
        let begins = |word: &&str| {
            line.match_indices(*word).any(|(at, _)| {
                let before = line[..at].chars().next_back();
                !before.is_some_and(|before| before.is_alphanumeric() || before == '_')
            })
        };
        self.0.iter().flat_map(|framework| framework.words).any(begins)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_uses_a_framework_whose_header_it_includes() {
        let check = Used::by("#include <stdio.h>\n  # include <check.h>\n");
        assert!(
            check.is_of_test("  ck_assert_int_eq(f(3), 6);") && check.is_of_test("Suite *s = suite_create(\"a\");")
        );
        assert!(!check.is_of_test("  return check(3) + stuck_at(4);") && !check.is_of_test("CU_ASSERT(1)"));
        assert!(Used::by("#include \"spell_check.h\"\n#include <stdlib.h>\nck_assert(1);").is_none());
        assert!(Used::by("#include \"third_party/catch.hpp\"\n").is_of_test("  REQUIRE(a == b);"));
        assert!(Used::by("// #include <gtest/gtest.h>").is_none());
        assert!(Used::by("#include <gtest/gtest.h>").is_of_test("  EXPECT_EQ(a, b);"));
        assert!(Used::by("#include").is_none() && Used::by("#include \u{e9}").is_none());
    }
}
