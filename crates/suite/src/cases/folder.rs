//! A folder of cases: `cases/NAME/` with any of
//!
//! | file | what |
//! |---|---|
//! | `args` | arguments, one a line |
//! | `stdin` | standard input |
//! | `stdout` | expected standard output; without it, it is not compared |
//! | `status` | expected exit status, or the signal expected to kill it (`SIGABRT`) |
//! | `env` | `NAME=value`, one a line |
//! | `files/` | what the working folder holds, subfolders included |
//!
//! Names that start with a dot and `README*` are left alone.

use std::path::{Path, PathBuf};

use super::table::{check_file_name, check_variable};
use super::{Case, Content, signal_number};
use crate::error::Error;
use crate::nearest::unknown;

const PARTS: &[&str] = &["args", "stdin", "stdout", "status", "env", "files"];

pub(super) fn read(folder: &Path) -> Result<Vec<Case>, Error> {
    let mut cases = Vec::new();
    for path in entries(folder)? {
        if !path.is_dir() {
            let message = format!("`{}` is no folder: each case is a folder with args, stdin, stdout, …", name(&path)?);
            return Err(Error::at(folder, message));
        }
        cases.push(case(&path)?);
    }
    if cases.is_empty() {
        return Err(Error::at(folder, "there is no case in it: each case is a folder with args, stdin, stdout, …"));
    }
    Ok(cases)
}

/// The entries of a folder that count, by name, numbers in names by value (`t2` before `t10`).
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(Error::io("read the folder", folder))? {
        let path = entry.map_err(Error::io("read the folder", folder))?.path();
        let name = name(&path)?;
        if !name.starts_with('.') && !name.to_ascii_uppercase().starts_with("README") {
            found.push((natural(name), path.clone()));
        }
    }
    found.sort();
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

fn name(path: &Path) -> Result<&str, Error> {
    let name = path.file_name().and_then(|name| name.to_str());
    name.ok_or_else(|| Error::at(path, "the name is not UTF-8"))
}

/// A key that sorts numbers by value: text parts and numbers in turn.
fn natural(name: &str) -> Vec<(String, u64)> {
    let mut key = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let text = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let digits = rest[text..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - text);
        key.push((rest[..text].to_string(), rest[text..text + digits].parse().unwrap_or(u64::MAX)));
        rest = &rest[text + digits..];
    }
    // Names that differ only in leading zeros stay apart.
    key.push((name.to_string(), 0));
    key
}

fn case(folder: &Path) -> Result<Case, Error> {
    let mut case = Case { name: name(folder)?.to_string(), ..Case::default() };
    for path in entries(folder)? {
        let part = name(&path)?;
        if part == "files" {
            if !path.is_dir() {
                return Err(Error::at(&path, "`files` must be a folder"));
            }
            files(&path, "", &mut case)?;
            continue;
        }
        if path.is_dir() {
            return Err(Error::at(folder, unknown("folder", part, &["files"])));
        }
        match part {
            "args" => case.args = lines(&path)?,
            "stdin" => case.stdin = Some(file(&path, part)),
            "stdout" => case.stdout = Some(file(&path, part)),
            "status" => status(&path, &mut case)?,
            "env" => {
                for (number, line) in lines(&path)?.into_iter().enumerate() {
                    let error = |message: &str| Error::line(&path, number + 1, message);
                    let (name, value) = line.split_once('=').ok_or_else(|| error("write NAME=value"))?;
                    check_variable(name).map_err(|message| error(&message))?;
                    case.env.insert(name.into(), value.into());
                }
            }
            _ => return Err(Error::at(folder, unknown("file", part, PARTS))),
        }
    }
    Ok(case)
}

fn file(path: &Path, written: &str) -> Content {
    Content::File { path: path.to_path_buf(), written: written.to_string() }
}

fn lines(path: &Path) -> Result<Vec<String>, Error> {
    let text = std::fs::read_to_string(path).map_err(Error::io("read", path))?;
    if text.contains('\0') {
        return Err(Error::at(path, "it must not contain a zero byte"));
    }
    Ok(text.lines().map(str::to_string).collect())
}

fn status(path: &Path, case: &mut Case) -> Result<(), Error> {
    let text = lines(path)?.join("\n");
    let text = text.trim();
    match text.parse::<i32>() {
        Ok(status @ 0..=255) => case.status = Some(status),
        _ => match signal_number(text) {
            Some(signal) => case.signal = Some(signal),
            None => {
                let message = format!("`{text}` is no exit status (0 to 255) and no signal (SIGABRT, SIGSEGV, …)");
                return Err(Error::line(path, 1, message));
            }
        },
    }
    Ok(())
}

fn files(folder: &Path, prefix: &str, case: &mut Case) -> Result<(), Error> {
    // Everything counts here, hidden files too: it is the program's business.
    for entry in std::fs::read_dir(folder).map_err(Error::io("read the folder", folder))? {
        let path = entry.map_err(Error::io("read the folder", folder))?.path();
        let name = format!("{prefix}{}", name(&path)?);
        if path.is_dir() {
            files(&path, &format!("{name}/"), case)?;
        } else {
            check_file_name(&name).map_err(|message| Error::at(folder, message))?;
            let written = format!("files/{name}");
            case.files.insert(name, file(&path, &written));
        }
    }
    Ok(())
}
