//! Static libraries in the GNU format: members that share a name are told apart by their order.

use std::{
    io,
    path::{Path, PathBuf},
};

use crate::elf::Elf;

const MAGIC: &[u8] = b"!<arch>\n";
const THIN: &[u8] = b"!<thin>\n";
const HEADER: usize = 60;

/// A member.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Name without a folder.
    pub name: String,
    /// Content.
    pub data: Vec<u8>,
}

/// Whether this is a static library.
pub fn is_archive(data: &[u8]) -> bool {
    data.starts_with(MAGIC) || data.starts_with(THIN)
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the archive is damaged")
}

/// Reads the members; those of a thin archive from their own files, relative to `path`.
pub fn read(path: &Path, data: &[u8]) -> io::Result<Vec<Member>> {
    let thin = data.starts_with(THIN);
    if !is_archive(data) {
        return Err(damaged());
    }
    let mut long_names: &[u8] = &[];
    let mut members = Vec::new();
    let mut at = MAGIC.len();
    while at < data.len() {
        let header = data.get(at..at + HEADER).ok_or_else(damaged)?;
        let number = |range: std::ops::Range<usize>| -> io::Result<usize> {
            str::from_utf8(&header[range]).ok().and_then(|text| text.trim().parse().ok()).ok_or_else(damaged)
        };
        let size = number(48..58)?;
        let name = str::from_utf8(&header[..16]).map_err(|_| damaged())?.trim_end();
        let special = name == "/" || name == "//" || name == "/SYM64/";
        let stored = if thin && !special { 0 } else { size };
        let body = at + HEADER;
        let mut content = data.get(body..body.checked_add(stored).ok_or_else(damaged)?).ok_or_else(damaged)?;
        at = (body + stored).next_multiple_of(2);
        if name == "//" {
            long_names = content;
        }
        if special {
            continue;
        }
        let name = if let Some(length) = name.strip_prefix("#1/").and_then(|length| length.parse::<usize>().ok()) {
            let (name, rest) = content.split_at_checked(length).ok_or_else(damaged)?;
            content = rest;
            String::from_utf8_lossy(name).trim_end_matches('\0').to_owned()
        } else if let Some(offset) = name.strip_prefix('/').and_then(|offset| offset.parse::<usize>().ok()) {
            let rest = long_names.get(offset..).ok_or_else(damaged)?;
            let end = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
            String::from_utf8_lossy(&rest[..end]).trim_end_matches('/').to_owned()
        } else {
            name.trim_end_matches('/').to_owned()
        };
        if name.starts_with("__.SYMDEF") {
            continue;
        }
        let data = if thin {
            let file = path.parent().unwrap_or(Path::new(".")).join(&name);
            std::fs::read(&file)
                .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", file.display())))?
        } else {
            content.to_vec()
        };
        let name = Path::new(&name).file_name().map_or(name.clone(), |name| name.to_string_lossy().into_owned());
        members.push(Member { name, data });
    }
    Ok(members)
}

/// Writes a thin archive with a symbol index: the members stay in their files, which are given by absolute paths.
pub fn thin(members: &[PathBuf]) -> io::Result<Vec<u8>> {
    let mut long_names = Vec::new();
    let mut entries = Vec::new();
    for path in members {
        let data = std::fs::read(path)?;
        let symbols: Vec<Vec<u8>> =
            Elf::parse(&data).map(|elf| elf.exported().into_iter().map(<[u8]>::to_vec).collect()).unwrap_or_default();
        entries.push((long_names.len(), data.len(), symbols));
        long_names.extend_from_slice(path.as_os_str().as_encoded_bytes());
        long_names.extend_from_slice(b"/\n");
    }
    let names_size: usize = entries.iter().flat_map(|(.., symbols)| symbols).map(|name| name.len() + 1).sum();
    let count: usize = entries.iter().map(|(.., symbols)| symbols.len()).sum();
    let index_size = (4 + 4 * count + names_size).next_multiple_of(2);
    let table_size = long_names.len().next_multiple_of(2);
    let first = MAGIC.len() + HEADER + index_size + HEADER + table_size;

    let mut index = (count as u32).to_be_bytes().to_vec();
    for (position, (.., symbols)) in entries.iter().enumerate() {
        // In a thin archive the members are headers only.
        let offset = (first + position * HEADER) as u32;
        for _ in symbols {
            index.extend(offset.to_be_bytes());
        }
    }
    for name in entries.iter().flat_map(|(.., symbols)| symbols) {
        index.extend(name);
        index.push(0);
    }
    index.resize(index_size, 0);
    long_names.resize(table_size, b'\n');

    let mut out = THIN.to_vec();
    out.extend(header("/", index_size));
    out.extend(&index);
    out.extend(header("//", table_size));
    out.extend(&long_names);
    for (offset, size, _) in &entries {
        out.extend(header(&format!("/{offset}"), *size));
    }
    Ok(out)
}

fn header(name: &str, size: usize) -> Vec<u8> {
    format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{size:<10}`\n", 0, 0, 0, 644).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, process::Command};

    #[test]
    fn members_of_the_same_name_stay_apart_and_a_thin_archive_links() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let sources = [
            ("x/a_rather_long_name.c", "int f(void) { return 3; }"),
            ("y/a_rather_long_name.c", "int g(void) { return 4; }"),
            ("main.c", "int f(void), g(void); int main(void) { return f() + g(); }"),
        ];
        for (name, text) in sources {
            fs::create_dir_all(at(name).parent().unwrap()).unwrap();
            fs::write(at(name), text).unwrap();
            let status =
                Command::new("cc").arg("-c").arg(at(name)).arg("-o").arg(at(name).with_extension("o")).status();
            assert!(status.unwrap().success());
        }
        let objects = [at("x/a_rather_long_name.o"), at("y/a_rather_long_name.o")];
        let status = Command::new("ar").arg("qcs").arg(at("lib.a")).args(&objects).status();
        assert!(status.unwrap().success());
        let members = read(&at("lib.a"), &fs::read(at("lib.a")).unwrap()).unwrap();
        assert_eq!(members.len(), 2);
        assert!(members.iter().all(|member| member.name == "a_rather_long_name.o"));
        assert_eq!(members[1].data, fs::read(&objects[1]).unwrap());

        fs::write(at("thin.a"), thin(&objects).unwrap()).unwrap();
        assert_eq!(read(&at("thin.a"), &fs::read(at("thin.a")).unwrap()).unwrap(), members);
        let status = Command::new("cc").arg(at("main.o")).arg(at("thin.a")).arg("-o").arg(at("main")).status();
        assert!(status.unwrap().success());
        assert_eq!(Command::new(at("main")).status().unwrap().code(), Some(7));

        let whole = fs::read(at("lib.a")).unwrap();
        for cut in 0..200 {
            let _ = read(&at("lib.a"), &whole[..cut]);
        }
    }
}
