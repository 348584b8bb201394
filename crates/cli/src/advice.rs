//! What to do about an error, in the words of the command line.

use whydunit_capture::Error as Capture;
use whydunit_changes::Error as Changes;
use whydunit_desk as desk;
use whydunit_inquiry::Error;
use whydunit_inquiry::cases::CasesError;
use whydunit_inquiry::check::CheckError;
use whydunit_inquiry::explain::ExplainError;
use whydunit_inquiry::history::HistoryError;
use whydunit_inquiry::java::JavaError;
use whydunit_inquiry::locate::LocateError;
use whydunit_inquiry::mine::MineError;
use whydunit_inquiry::repair::RepairError;
use whydunit_inquiry::review::ReviewError;
use whydunit_inquiry::score::ScoreError;
use whydunit_inquiry::shrink::ShrinkError;
use whydunit_recording::Error as Recording;
use whydunit_workbench::Error as Workbench;

/// What to do about a project that was never built under capture.
const BUILD_FIRST: &str = "build the project first: `whydunit build -- COMMAND`";

/// What to do about sources that cannot be written.
pub const NOT_APPLIED: &str = "without `--apply` the patch is told, and `--patch FILE` writes it for `git apply`";

/// What to do where only time is the matter.
const AGAIN: &str = "run the command again";

/// What is done where the program itself cannot judge.
const GIVE_SCRIPT: &str = "give --script SCRIPT: it is run with each smaller input ($WHYDUNIT_PROGRAM is the program) and exits with 0 \
                           where the failure is still there, with 1 where it is not, with 125 where that cannot be told";

/// What to do about an error; `None` where its message says all.
pub fn of(error: &Error) -> Option<String> {
    match error {
        Error::Desk(error) => of_desk(error),
        Error::Locate(error) => of_locate(error).map(String::from),
        Error::Explain(error) => of_explain(error),
        Error::Repair(error) => of_repair(error).map(String::from),
        Error::Review(error) => of_review(error),
        Error::Shrink(error) => of_shrink(error),
        Error::Score(error) => of_score(error).map(String::from),
        Error::Mine(error) => Some(of_mine(error)),
        Error::Java(error) => of_java(error),
        Error::Cases(error) => of_cases(error),
        Error::Check(error) => Some(of_check(error).into()),
        Error::History(error) => of_history(error),
        Error::NoClass { .. } => Some("`whydunit show --classes --all` lists those of libraries too".into()),
        Error::Classes(_)
        | Error::Formulas(_)
        | Error::Solver(_)
        | Error::Show(_)
        | Error::NoFailure
        | Error::Why { .. }
        | Error::Internal(_) => None,
    }
}

/// What to do where a history has no answer.
fn of_history(error: &HistoryError) -> Option<String> {
    let text = match error {
        HistoryError::NoCommits { .. } => "name a repository with commits: `whydunit history FOLDER`",
        HistoryError::NoFixes { .. } => {
            "say in [history] of whydunit.toml how messages of fixes look: patterns = [\"^PROJ-\\\\d+\"]"
        }
        HistoryError::NoTests { .. } => {
            "write a whydunit.toml that says how to build and test, and give it with --config: it holds for all versions"
        }
        HistoryError::Unread { .. } => "name a file that can be read",
        HistoryError::Tracker { .. } => "export a table with a head, divided by commas, or a list of objects in JSON",
        HistoryError::Pattern { .. } => "write a backslash before characters that are meant as they are",
        HistoryError::NoCatalogue { .. } => "make one with `whydunit history`, or name its folder with --catalogue",
        HistoryError::Damaged { .. } => "`whydunit history --fresh` makes it anew",
        HistoryError::NoBug { known, .. } if known.is_empty() => "`whydunit history list` lists the bugs",
        HistoryError::NoBug { known, .. } | HistoryError::SeveralBugs { known, .. } => {
            return Some(format!("bugs are {}", known.join(", ")));
        }
        HistoryError::NotEmpty { .. } => "name a folder that is empty or not there",
        HistoryError::InUse { .. } => "wait until it has ended, or name another folder with --catalogue",
        HistoryError::Query(_) => return None,
    };
    Some(text.into())
}

/// What to do where no cases are made.
fn of_cases(error: &CasesError) -> Option<String> {
    let text = match error {
        CasesError::Exists(_) => "name another one with --table, or replace it with --replace",
        CasesError::NotWritten { .. } => {
            "see that the disk is not full and the folder can be written, and run the command again"
        }
        CasesError::NoRun { .. } => {
            "build the program with `whydunit build -- COMMAND`, and see that the command runs what that made, and not a copy that is \
             installed or built elsewhere"
        }
        CasesError::NotRun { known, .. } => return Some(format!("programs that were run: {}", known.join(", "))),
        CasesError::NoCase { .. } => "write cases by hand: `whydunit manual tests` has their form",
    };
    Some(text.into())
}

/// What to do where nothing can be checked.
fn of_check(error: &CheckError) -> &'static str {
    match error {
        CheckError::NotCompiled { .. } => "mend what the compiler says, or build again",
        CheckError::Unread { .. } => "name a file that can be read",
        CheckError::Model { .. } => "the manual has the form of models: docs/book/src/check.md",
        CheckError::Baseline { .. } => "make it anew with `whydunit check --write-baseline FILE`",
        CheckError::NoClass { .. } => "leave --class out, or give a file with a model of it",
    }
}

/// What to do where a program of Java cannot be traced.
fn of_java(error: &JavaError) -> Option<String> {
    let text = match error {
        JavaError::NoTracer => {
            "build it where javac and ASM are (Debian: apt-get install openjdk-17-jdk-headless libasm-java), as `make setup-tests` does"
        }
        JavaError::NoJava { .. } => {
            "write the command that starts the program: `whydunit mine --java -- java -cp classes Main`"
        }
        JavaError::NotFound { .. } => {
            "install it (Debian: apt-get install openjdk-17-jre-headless), or give its whole path"
        }
        JavaError::NoVersion { .. } | JavaError::Version { .. } => "give the path of a java of such a version",
        JavaError::NotStarted { .. } => "the command must run the program without whydunit, too",
        JavaError::Folder(_) => "there must be room in the folder for temporary files, which TMPDIR names",
        JavaError::Events(_) | JavaError::Run(_) => return None,
    };
    Some(text.into())
}

/// What to do where nothing can be mined.
fn of_mine(error: &MineError) -> String {
    match error {
        MineError::NoClass { near, .. } if near.is_empty() => "`whydunit show --classes` lists the classes".into(),
        MineError::NoClass { near, .. } => format!("did you mean {}?", near.join(", ")),
        MineError::NoJavaClass { near, .. } if near.is_empty() => {
            "give the package, too, of a class of the Java library; without a class those that have objects are listed"
                .into()
        }
        MineError::NoJavaClass { near, .. } => format!("did you mean {}?", near.join(", ")),
        MineError::Several { names, .. } => format!("name one of {}", names.join(", ")),
        MineError::NoObjects { derived, .. } if !derived.is_empty() => {
            format!("objects are of classes derived from it: {}", derived.join(", "))
        }
        MineError::NoObjects { .. } => "`whydunit mine` lists the classes that have objects".into(),
        MineError::NoPath { known, .. } if known.is_empty() => "the class has no fields that are known".into(),
        MineError::NoPath { known, .. } => format!("there are {}", known.join(", ")),
        MineError::NoFunction { class, .. } => format!("`whydunit show --classes {class}` lists them"),
        MineError::Older { reason, .. } => of_mine(reason),
        MineError::NotRead { .. } => "`whydunit test --list` names the tests".into(),
        MineError::Passes { .. } => "name a test that fails: `whydunit test` says which do".into(),
        MineError::NothingProposed => "name it: `whydunit mine stack --propose`".into(),
        MineError::NonePasses => "add tests that pass".into(),
        MineError::NoRuns => "record a run: `whydunit record -- CMD`, then `whydunit mine --recording NAME`".into(),
        MineError::ErrorRule { .. } => "write `< 0`, `NULL`, `== N`, `!= N` or `not in {N, M}`".into(),
    }
}

fn of_desk(error: &desk::Error) -> Option<String> {
    use desk::Error as Desk;
    let text = match error {
        Desk::NoFolder { .. } => "name an existing folder with --project",
        Desk::NoStore(_) => BUILD_FIRST,
        Desk::Stale { .. } => "build again: `whydunit build -- COMMAND`",
        Desk::Suite { open, .. } => return (!open.is_empty()).then(|| open.join("; ")),
        Desk::NoneNamed { known, .. } => return Some(format!("tests are {}, …", known.join(", "))),
        Desk::NoRecording(_) => "record a test or a command: `whydunit record TEST`, `whydunit record -- CMD`",
        Desk::Changes(error) => return of_changes(error),
        Desk::OutputIsFolder(_) | Desk::OutputClosed { .. } => {
            "name a file in a folder that exists and can be written, by --output"
        }
        Desk::OutputUnwritten { .. } => "the file is as it was; see that the disk is not full",
        Desk::TestsLost { .. } => {
            "see that the disk is not full and nobody removes files below .whydunit, and run the command again"
        }
        Desk::TestsInterrupted { .. } => "run the command again for the whole answer",
        Desk::TimeUp { .. } => {
            "run the command again: it goes on with what is made by now; --time-limit gives it longer"
        }
        Desk::DamagedModel(_) => "run the command again, which makes it again",
        Desk::Interrupted => AGAIN,
        Desk::VersionsInterrupted => "run the command again: it goes on with what is known by now",
        Desk::Of { error, .. } => return of_desk(error),
        Desk::Build { source: error, .. } | Desk::Workbench(error) => of_workbench(error)?,
        Desk::Capture(error) => of_capture(error)?,
        Desk::Damaged(error) => of_recording(error)?,
        Desk::Variants(error) if error.is_of_full_disk() => {
            "free some space, and run the command again: it goes on with what is known by now"
        }
        Desk::NotAFolder(_)
        | Desk::NoTest(_)
        | Desk::Replay(_)
        | Desk::Variants(_)
        | Desk::SuiteFile(_)
        | Desk::Io { .. } => return None,
    };
    Some(text.into())
}

/// About work on the project.
fn of_workbench(error: &Workbench) -> Option<&'static str> {
    match error {
        Workbench::NoBuild { .. } => Some("`whydunit build -- COMMAND`, or set `command` in [build] of whydunit.toml"),
        Workbench::Capture(error) => of_capture(error),
        Workbench::Recording(error) => of_recording(error),
        _ => None,
    }
}

/// About what a build left.
fn of_capture(error: &Capture) -> Option<&'static str> {
    match error {
        Capture::Store(whydunit_capture::face::Error::NoStore(_)) | Capture::NoCommand => Some(BUILD_FIRST),
        Capture::NotCaptured(_) | Capture::UnknownLink(_) => {
            Some("build the program again with `whydunit build -- COMMAND`")
        }
        Capture::BuildFailed { .. } => Some("mend that and try again; all that builds printed is in .whydunit/builds"),
        Capture::Cancelled => Some(AGAIN),
        _ => None,
    }
}

/// About a recording that cannot be read.
fn of_recording(error: &Recording) -> Option<&'static str> {
    match error {
        Recording::NotARecording { .. } => Some("`whydunit record` writes one"),
        _ => None,
    }
}

/// About a version that cannot be had.
fn of_changes(error: &Changes) -> Option<String> {
    match error {
        Changes::NoRevision { .. } => {
            Some("name a commit, a branch or a tag; `git log --oneline` lists commits".into())
        }
        Changes::NoCommit { submodule, .. } => Some(format!("fetch it: git -C {submodule} fetch --all")),
        Changes::Unrelated { .. } => Some("name a good revision that the bad one was made from, or two folders".into()),
        _ => None,
    }
}

fn of_locate(error: &LocateError) -> Option<&'static str> {
    match error {
        LocateError::NoPart { .. } => {
            Some("name a file, a folder or FILE:LINE as findings do, from the project's folder")
        }
        LocateError::NoSolver { .. } => Some("install it where PATH leads to, or leave --solver out"),
        LocateError::Outside { .. } => None,
    }
}

fn of_explain(error: &ExplainError) -> Option<String> {
    let text = match error {
        ExplainError::NoVersion { name, .. } => {
            return Some(format!("`{name}` is no folder either: name one, or a git revision"));
        }
        ExplainError::PatchOfAnother { .. } => {
            "give a patch that `git apply` or `git apply -R` would apply to the project's files as they are"
        }
        ExplainError::BadNotBuilt { version, .. } => return Some(format!("{version} must be buildable as it is")),
        ExplainError::NoDifference { .. } => "name an older revision with --good",
        ExplainError::GoodNotBuilt { .. } => {
            "name a good version that does, or mend its build command in [build] of whydunit.toml"
        }
        ExplainError::GoodFails { .. } => "name a version in which it passes with --good",
        ExplainError::BadPassesApart => "what the test needs may lie outside the project's versioned files",
        ExplainError::Passes { .. } => "name a test that fails; `whydunit test` lists them",
        ExplainError::SeveralFail { .. } => "name the one to explain",
        ExplainError::FailsTooSeldom { .. } => {
            "see what differs from run to run first; `whydunit test --again 20` tells how often it fails"
        }
        ExplainError::Unread { .. }
        | ExplainError::NoHistory
        | ExplainError::NoAnswerAfter { .. }
        | ExplainError::NotRun { .. }
        | ExplainError::CannotRun(_)
        | ExplainError::NothingFails
        | ExplainError::Causes(_) => return None,
    };
    Some(text.into())
}

fn of_repair(error: &RepairError) -> Option<&'static str> {
    match error {
        RepairError::Unwritable { .. } => Some(NOT_APPLIED),
        RepairError::SourceChanged(_) => Some(AGAIN),
        RepairError::Unreadable(_) | RepairError::Survey(_) => None,
    }
}

fn of_review(error: &ReviewError) -> Option<String> {
    let text = match error {
        ReviewError::NoFix { .. } => "name a file with a patch, or two revisions as in HEAD~1..HEAD",
        ReviewError::DoesNotApply { .. } => {
            "give a patch that `git apply` would apply to the project's files as they are"
        }
        ReviewError::ChangesNothing => "name two versions that differ",
        ReviewError::Domain { parameters: Some(parameters), .. } => {
            return Some(format!("one constraint a line; parameters are {parameters}"));
        }
        ReviewError::Domain { parameters: None, .. } => "one constraint a line, as `arg1 in 1..10`",
        ReviewError::DomainLacks { .. } => "the domain must allow the input that shows the bug",
        ReviewError::NoTest { .. } => "`whydunit test --list` lists the tests",
        ReviewError::Flaky { .. } => "make it fail each time first: a fixed seed, a fixed time",
        ReviewError::Passes { .. } => "name a test that fails before the fix",
        ReviewError::NothingFails => "add a test that fails before the fix and passes with it",
        ReviewError::NotCalled { .. } => "name one that it calls: `whydunit record` and `whydunit show` list its calls",
        ReviewError::CannotBeGiven { .. }
        | ReviewError::GivenNothing { .. }
        | ReviewError::NotRecorded { .. }
        | ReviewError::NoDriver { .. } => "review without --entry: then the program's own input varies",
        ReviewError::NotOfProject { .. } => "name a function of the project",
        ReviewError::NoFile { .. } => "name a function that both versions have in the same file",
        ReviewError::DoesNotFailAlone { .. } => {
            "what fails must lie inside it: an assertion, a crash; name the function that has it"
        }
        ReviewError::FailsAlone { .. } => {
            "what the test prepares is missing, or the fix lies outside the function: name one that holds both"
        }
    };
    Some(text.into())
}

fn of_shrink(error: &ShrinkError) -> Option<String> {
    let text = match error {
        ShrinkError::NoScript { .. } | ShrinkError::ScriptNoFile(_) => {
            "name a program by its path, as in --script ./still.sh"
        }
        ShrinkError::ScriptNotExecutable(path) => {
            return Some(format!("`chmod +x {}`, and let it begin with a line as #!/bin/sh", path.display()));
        }
        ShrinkError::FileWithoutScript { .. } => {
            "to make a file on its own smaller, say by --script what the failure is"
        }
        ShrinkError::NoCase { .. } => {
            "`shrink` is for cases.jsonl and folders of cases; `whydunit shrink --script SCRIPT FILE` is for any file"
        }
        ShrinkError::NoPart { known, .. } => return Some(format!("parts are {known}")),
        ShrinkError::Flaky { .. } => {
            "make it fail each time first (a fixed seed, a fixed time), or give --script with a script that tries several times"
        }
        ShrinkError::Passes { .. } => {
            "`whydunit test` says which tests fail; of a case only what it expects is compared"
        }
        ShrinkError::FailsByOutput { .. } => GIVE_SCRIPT,
        ShrinkError::ScriptSeesNothing { .. } => {
            "let it exit with 0 for this input; it runs in a folder with the files, with the arguments and standard input of the case"
        }
        ShrinkError::NotKept { .. } => "see that the folder can be written and the disk is not full",
        ShrinkError::NotUtf8(_) | ShrinkError::NotRun { .. } => return None,
    };
    Some(text.into())
}

fn of_score(error: &ScoreError) -> Option<&'static str> {
    match error {
        ScoreError::Unread { .. } => Some("name the folder with the projects whose faults are known"),
        ScoreError::NoProject { .. } => Some("name a folder whose folders hold a project and its truth.json"),
        ScoreError::NoCases { .. } => Some("set `cases` in [tests], or remove the file"),
        ScoreError::Truth(_)
        | ScoreError::NotUtf8(_)
        | ScoreError::NothingFails
        | ScoreError::DoesNotApply { .. }
        | ScoreError::NotBuilt { .. } => None,
    }
}
