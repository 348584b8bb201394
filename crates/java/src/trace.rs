//! A run under the tracer.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use whydunit_events::Live;
use whydunit_process::{Cancel, Ended, Limits, Program, Stdin, Watch, run};

use crate::command;
use crate::error::JavaError;
use crate::notes::Notes;

const AGENT: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/agent.jar"));
const RECORDER: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/recorder.jar"));
const TRACER: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/tracer.jar"));

/// What a run does otherwise than the program has it, on one object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mutation {
    /// The class of the object, in full.
    pub class: String,
    /// The run of the object.
    pub run: String,
    /// Its number among the objects of its class in that run, from 0.
    pub object: usize,
    /// This method is called right behind its call of this number (0: its constructor).
    pub insert: Option<(u32, String)>,
    /// Its calls with these numbers are left out: their methods return nothing, zero or null at once.
    pub suppress: Vec<u32>,
}

/// What is traced, and how.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The user's command: a java with its arguments.
    pub command: &'a [OsString],
    /// The folder that it runs in.
    pub folder: &'a Path,
    /// The class, with its package where it is one of the Java library; `None`: all of the program's.
    pub class: Option<&'a str>,
    /// The length of the longest value access paths.
    pub depth: usize,
    /// Methods that change nothing are asked for their values.
    pub inspectors: bool,
    /// The stream ends behind so many bytes.
    pub limit: u64,
    /// The mutation, where one is wanted; the program ends behind its run.
    pub mutation: Option<&'a Mutation>,
    /// Limits of the run.
    pub limits: Limits,
}

/// A run that was traced.
pub struct Traced {
    folder: TempDir,
    /// What the tracer notes.
    pub notes: Notes,
    /// How the program has ended.
    pub ended: Ended,
}

impl Traced {
    /// The events, from the first one on.
    pub fn events(&self) -> Result<Live<BufReader<File>>, JavaError> {
        let file = File::open(self.folder.path().join("events")).map_err(JavaError::Folder)?;
        Ok(Live::new(BufReader::with_capacity(1 << 16, file))?)
    }

    /// How many bytes of events there are.
    pub fn size(&self) -> u64 {
        std::fs::metadata(self.folder.path().join("events")).map_or(0, |metadata| metadata.len())
    }
}

/// Runs a command of the user's under the tracer, until it ends or `cancel` ends it. Its outputs go to `on_output`.
pub fn trace(
    request: &Request<'_>,
    cancel: &Cancel,
    on_output: &mut dyn FnMut(whydunit_process::Stream, &[u8]),
) -> Result<Traced, JavaError> {
    if AGENT.is_empty() {
        return Err(JavaError::NoTracer);
    }
    let Some((word, arguments)) = request.command.split_first() else {
        return Err(JavaError::NoJava { word: String::new() });
    };
    let machine = command::version(word)?;
    let folder = tempfile::Builder::new().prefix("whydunit-java-").tempdir().map_err(JavaError::Folder)?;
    let agent = install(folder.path(), request).map_err(JavaError::Folder)?;
    // A warning of the virtual machine that classes are not shared, because of the tracer, is nothing for the user.
    let mut args: Vec<OsString> = vec!["-XX:-PrintWarnings".into(), agent];
    if request.mutation.is_some() {
        // Short runs of which there are many: what takes longest is the start.
        args.extend(["-XX:TieredStopAtLevel=1".into(), "-XX:+UseSerialGC".into()]);
    }
    args.extend(arguments.iter().cloned());
    let program = Program {
        executable: machine.executable,
        arg0: word.clone(),
        args,
        env: std::env::vars_os().collect(),
        folder: request.folder.to_path_buf(),
        randomise_addresses: true,
    };
    let watch = Watch { cancel: Some(cancel), on_output: Some(on_output) };
    let ended = run(&program, Stdin::Inherit, &request.limits, watch)?;
    let notes = std::fs::read(folder.path().join("notes")).unwrap_or_default();
    let notes = Notes::read(&String::from_utf8_lossy(&notes));
    let traced = Traced { folder, notes, ended };
    if traced.size() == 0 {
        let said = String::from_utf8_lossy(&traced.ended.stderr).lines().next().unwrap_or_default().trim().to_owned();
        let said = if said.is_empty() { traced.ended.exit.to_string() } else { said };
        return Err(JavaError::NotStarted { said });
    }
    Ok(traced)
}

/// Writes the archives and what the tracer is asked into a folder; the option for the virtual machine.
fn install(folder: &Path, request: &Request<'_>) -> std::io::Result<OsString> {
    for (name, archive) in [("agent", AGENT), ("recorder", RECORDER), ("tracer", TRACER)] {
        std::fs::write(folder.join(format!("{name}.jar")), archive)?;
    }
    let asked = folder.join("asked");
    std::fs::write(&asked, configuration(folder, request))?;
    let mut option = OsString::from("-javaagent:");
    option.push(folder.join("agent.jar"));
    option.push("=");
    option.push(asked);
    Ok(option)
}

fn configuration(folder: &Path, request: &Request<'_>) -> String {
    let path = |name: &str| -> PathBuf { folder.join(name) };
    let mut text = format!("events={}\nnotes={}\n", path("events").display(), path("notes").display());
    let _ = writeln!(text, "depth={}\ninspectors={}\nlimit={}", request.depth, request.inspectors, request.limit);
    if let Some(class) = request.class {
        let _ = writeln!(text, "class={class}");
    }
    if let Some(Mutation { class, run, object, insert, suppress }) = request.mutation {
        let _ = writeln!(text, "eager=true\nstops=true\nmutates={class}\nof={run}\nobject={object}");
        if let Some((after, method)) = insert {
            let _ = writeln!(text, "after={after}\ninsert={method}");
        }
        let numbers: Vec<String> = suppress.iter().map(u32::to_string).collect();
        let _ = writeln!(text, "suppress={}", numbers.join(","));
    }
    text
}
