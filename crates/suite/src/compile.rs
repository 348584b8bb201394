//! The command that compiles and links a project's `sources`: those that have not changed since the last time are not compiled again.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{fs, thread};

use crate::config::{BuildHow, Config, compiler_of};

/// Options whose operand is a word of its own.
const WITH_OPERAND: &[&str] = &[
    "-I",
    "-D",
    "-U",
    "-L",
    "-l",
    "-T",
    "-u",
    "-z",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xclang",
    "-target",
    "--param",
];
/// Options that mean something else, or write elsewhere, where each source is compiled by itself.
const TOGETHER: &[&str] = &[
    "-x",
    "-c",
    "-S",
    "-E",
    "-M",
    "-o",
    "-save-temps",
    "-fwhole-program",
    "--coverage",
    "-fprofile",
    "-ftest-coverage",
    "-pg",
];
/// The file that says for which command the objects beside it were made.
const MADE_BY: &str = "command";

/// How a list of sources is compiled.
pub struct Compile {
    /// A command: a program, looked up in `PATH`, and its arguments. It runs in the project's folder.
    pub command: Vec<OsString>,
    /// The same as one command of the compiler.
    pub shown: String,
}

/// How a configuration's sources are compiled and linked; none where it has no sources. Each goes into an object below the configuration's
/// folder for builds ([`Config::build_folder`]), several side by side; an object that is newer than all that went into it stays. Sources
/// whose flags say anything of files are compiled and linked at once. Makes the folders that it needs.
///
/// # Errors
/// Where these can not be made.
pub fn compile(config: &Config) -> io::Result<Option<Compile>> {
    let (Some(BuildHow::Sources { sources, flags }), Some(executable)) = (&config.build.how, config.executable())
    else {
        return Ok(None);
    };
    // A linker makes no folder.
    executable.parent().map_or(Ok(()), fs::create_dir_all)?;
    let at_once = at_once(sources, flags, executable.clone());
    let shown = at_once.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
    if sources.len() < 2 || !flags_are_of_each(flags) {
        return Ok(Some(Compile { command: at_once, shown }));
    }
    let objects = Objects { folder: config.build_folder().join("objects"), project: &config.folder };
    objects.keep_those_of(&shown)?;
    let script = objects.script(sources, flags, &executable);
    Ok(Some(Compile { command: vec!["sh".into(), "-c".into(), script.into()], shown }))
}

/// One command of the compiler. Flags such as -lm must follow the sources that need them; those for the compile may stand anywhere.
fn at_once(sources: &[PathBuf], flags: &[String], executable: PathBuf) -> Vec<OsString> {
    let mut words: Vec<OsString> = vec![compiler_of(sources).into(), "-g".into()];
    words.extend(sources.iter().map(|source| source.clone().into_os_string()));
    words.extend(["-o".into(), executable.into_os_string()]);
    words.extend(flags.iter().map(OsString::from));
    words
}

/// Whether flags mean the same where each source is compiled by itself.
fn flags_are_of_each(flags: &[String]) -> bool {
    let mut words = flags.iter();
    while let Some(word) = words.next() {
        if !word.starts_with('-') || TOGETHER.iter().any(|of| word.starts_with(of)) {
            return false;
        }
        if WITH_OPERAND.contains(&word.as_str()) {
            words.next();
        }
    }
    true
}

/// Where objects lie, each beside the rule of `make` that names what went into it.
struct Objects<'a> {
    folder: PathBuf,
    project: &'a Path,
}

impl Objects<'_> {
    /// Leaves nothing there that was made for another command.
    fn keep_those_of(&self, command: &str) -> io::Result<()> {
        let made_by = self.folder.join(MADE_BY);
        if fs::read(&made_by).is_ok_and(|known| known == command.as_bytes()) {
            return Ok(());
        }
        match fs::remove_dir_all(&self.folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        fs::create_dir_all(&self.folder)?;
        fs::write(made_by, command)
    }

    fn object(&self, number: usize, source: &Path) -> PathBuf {
        self.folder.join(format!("{number}-{}.o", source.file_stem().unwrap_or_default().to_string_lossy()))
    }

    /// A script of the shell that compiles what has changed, as many at a time as there are cores, and links all.
    fn script(&self, sources: &[PathBuf], flags: &[String], executable: &Path) -> String {
        let compiler = compiler_of(sources);
        let flags: String = flags.iter().map(|flag| format!(" {}", quoted(flag))).collect();
        let objects: Vec<PathBuf> = sources.iter().enumerate().map(|(number, of)| self.object(number, of)).collect();
        let changed: Vec<(&PathBuf, &PathBuf)> =
            sources.iter().zip(&objects).filter(|(source, object)| !self.is_current(source, object)).collect();
        let mut script = String::from("failed=\n");
        for some in changed.chunks(thread::available_parallelism().map_or(1, usize::from)) {
            for (number, (source, object)) in some.iter().enumerate() {
                let (source, object) = (quoted(&source.to_string_lossy()), quoted(&object.to_string_lossy()));
                let rule = format!("-MD -MF {object}.d");
                script += &format!("{compiler} -g -c {source} -o {object} {rule}{flags} & at{number}=$!\n");
            }
            (0..some.len()).for_each(|number| script += &format!("wait $at{number} || failed=1\n"));
        }
        let objects: String = objects.iter().map(|object| format!(" {}", quoted(&object.to_string_lossy()))).collect();
        let executable = quoted(&executable.to_string_lossy());
        script + &format!("test -z \"$failed\" || exit 1\nexec {compiler} -g{objects} -o {executable}{flags}\n")
    }

    /// Whether an object is there and newer than all that went into it.
    fn is_current(&self, source: &Path, object: &Path) -> bool {
        let time = |path: &Path| fs::metadata(path).and_then(|of| of.modified()).ok();
        let Some(made) = time(object) else { return false };
        let Ok(rule) = fs::read_to_string(format!("{}.d", object.display())) else { return false };
        let is_older = |path: &Path| time(&self.project.join(path)).is_some_and(|changed: SystemTime| changed < made);
        is_older(source) && prerequisites(&rule).iter().all(|path| is_older(Path::new(path)))
    }
}

/// What a rule that a compiler has written for `make` names behind its target.
fn prerequisites(rule: &str) -> Vec<String> {
    let Some((_, list)) = rule.split_once(": ") else { return Vec::new() };
    // A space that belongs to a name has a backslash before it, a dollar another one.
    let marked = list.replace("\\\n", " ").replace("\\ ", "\0").replace("$$", "$");
    marked.split_whitespace().map(|name| name.replace('\0', " ").replace("\\#", "#")).collect()
}

/// A word of the shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn run(config: &Config) -> (usize, Option<i32>) {
        let compile = compile(config).unwrap().unwrap();
        let number = compile.command[compile.command.len() - 1].to_string_lossy().matches(" -c ").count();
        let status = Command::new(&compile.command[0]).args(&compile.command[1..]).current_dir(&config.folder).status();
        assert!(status.unwrap().success());
        (number, Command::new(config.executable().unwrap()).status().unwrap().code())
    }

    #[test]
    fn what_has_not_changed_is_not_compiled_again() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        put("a.c", "#include \"two words.h\"\nint b(void);\nint main(void) { return b() + MORE; }\n");
        put("b.c", "int b(void) { return NUMBER; }\n");
        put("two words.h", "#define MORE 1\n");
        let mut config = Config { folder: folder.path().to_owned(), ..Config::default() };
        let how = |number: u8| {
            let sources = vec!["a.c".into(), "b.c".into()];
            Some(BuildHow::Sources { sources, flags: vec!["-D".into(), format!("NUMBER={number}")] })
        };
        config.build.how = how(3);
        assert_eq!(run(&config), (2, Some(4)));
        assert_eq!(run(&config), (0, Some(4)));
        put("two words.h", "#define MORE 2\n");
        assert_eq!(run(&config), (1, Some(5)));
        config.build.how = how(5);
        assert_eq!(run(&config), (2, Some(7)));
        fs::remove_file(folder.path().join(".whydunit/build/objects/1-b.o")).unwrap();
        assert_eq!(run(&config), (1, Some(7)));
    }

    #[test]
    fn flags_that_name_files_are_of_one_command() {
        let of_each = |flags: &[&str]| flags_are_of_each(&flags.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert!(of_each(&["-I", "include", "-DX=1", "-lm", "-include", "config.h", "-Wl,--gc-sections"]));
        for flags in [["lib.a", "-lm"], ["-x", "c"], ["--coverage", "-O2"], ["@flags", "-O1"], ["-O2", "-Mfoo"]] {
            assert!(!of_each(&flags), "{flags:?}");
        }
    }
}
