//! What a build complains of.

/// The first line in which a compiler, a linker or cargo says that something is an error: not a name or a flag with the word in it.
/// `None` where no line does.
pub fn complaint(said: &str) -> Option<&str> {
    let is_one = |line: &&str| {
        line.contains("error: ")
            || line.starts_with("error[")
            || line.contains("undefined reference to")
            || line.starts_with("CMake Error")
    };
    said.lines().map(str::trim).find(is_one)
}

#[cfg(test)]
mod tests {
    use super::complaint;

    #[test]
    fn errors_are_told_from_what_is_only_called_so() {
        let said = "-- Performing Test FLAG_SUPPORTED_Werror\ncc -c error.c\n  a.c:3:1: error: expected ';'\nmake: *** [a] Error 1\n";
        assert_eq!(complaint(said), Some("a.c:3:1: error: expected ';'"));
        assert_eq!(
            complaint("   Compiling a\nerror[E0425]: cannot find value\n"),
            Some("error[E0425]: cannot find value")
        );
        let made =
            "-- Configuring done\nCMake Error at CMakeLists.txt:3 (add_executable):\n  Cannot find source file:\n";
        assert_eq!(complaint(made), Some("CMake Error at CMakeLists.txt:3 (add_executable):"));
        assert_eq!(complaint("-- Check for working C compiler: errors.c\n"), None);
    }
}
