//! Static libraries in the GNU format: members that share a name are told apart by their order.

use std::{
    collections::HashMap,
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

/// What stands in an archive, one after the other.
struct Entry<'d> {
    /// Where its header begins.
    at: usize,
    header: &'d [u8],
    /// The name as it stands in the header.
    name: &'d str,
    content: &'d [u8],
    /// The index or the table of names, and no member.
    special: bool,
}

/// Width of the numbers of an index.
const INDEXES: &[(&str, usize)] = &[("/", 4), ("/SYM64/", 8)];

fn entries(data: &[u8]) -> io::Result<Vec<Entry<'_>>> {
    if !is_archive(data) {
        return Err(damaged());
    }
    let thin = data.starts_with(THIN);
    let mut entries = Vec::new();
    let mut at = MAGIC.len();
    while at < data.len() {
        let header = data.get(at..at + HEADER).ok_or_else(damaged)?;
        let size = str::from_utf8(&header[48..58]).ok().and_then(|text| text.trim().parse().ok());
        let size: usize = size.ok_or_else(damaged)?;
        let name = str::from_utf8(&header[..16]).map_err(|_| damaged())?.trim_end();
        let special = name == "//" || INDEXES.iter().any(|(index, _)| *index == name);
        let stored = if thin && !special { 0 } else { size };
        let body = at + HEADER;
        let content = data.get(body..body.checked_add(stored).ok_or_else(damaged)?).ok_or_else(damaged)?;
        entries.push(Entry { at, header, name, content, special });
        at = (body + stored).next_multiple_of(2);
    }
    Ok(entries)
}

/// An archive with other contents of some members, by their number. They must define what they did: the names in the index
/// stay as they are.
pub fn replace(data: &[u8], changed: &HashMap<usize, Vec<u8>>) -> io::Result<Vec<u8>> {
    if data.starts_with(THIN) {
        return Err(io::Error::new(io::ErrorKind::Unsupported, "the archive is thin: its members are files"));
    }
    let mut out = MAGIC.to_vec();
    let (mut places, mut indexes, mut number) = (HashMap::new(), Vec::new(), 0);
    for entry in entries(data)? {
        let mut content = entry.content;
        if !entry.special {
            content = changed.get(&number).map_or(content, Vec::as_slice);
            number += 1;
        }
        places.insert(entry.at as u64, out.len() as u64);
        let width = INDEXES.iter().find(|(index, _)| *index == entry.name);
        indexes.extend(width.map(|(_, width)| (out.len() + HEADER, content.len(), *width)));
        out.extend(&entry.header[..48]);
        out.extend(format!("{:<10}", content.len()).into_bytes());
        out.extend(&entry.header[58..]);
        out.extend(content);
        out.resize(out.len().next_multiple_of(2), b'\n');
    }
    for (start, length, width) in indexes {
        let mut words = out[start..start + length].chunks_exact_mut(width);
        let read = |word: &[u8]| word.iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
        let count = read(words.next().ok_or_else(damaged)?);
        for _ in 0..count {
            let word = words.next().ok_or_else(damaged)?;
            let place = places.get(&read(word)).ok_or_else(damaged)?.to_be_bytes();
            let (above, kept) = place.split_at(8 - width);
            if above.iter().any(|byte| *byte != 0) {
                return Err(io::Error::new(io::ErrorKind::FileTooLarge, "the archive is too large for its index"));
            }
            word.copy_from_slice(kept);
        }
    }
    Ok(out)
}

/// Reads the members; those of a thin archive from their own files, relative to `path`.
pub fn read(path: &Path, data: &[u8]) -> io::Result<Vec<Member>> {
    let thin = data.starts_with(THIN);
    let mut long_names: &[u8] = &[];
    let mut members = Vec::new();
    for Entry { name, mut content, special, .. } in entries(data)? {
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

        // A member that is longer than it was: the others are still found by the index.
        let whole = fs::read(at("lib.a")).unwrap();
        let longer = [members[0].data.clone(), vec![0; 101]].concat();
        fs::write(at("longer.a"), replace(&whole, &HashMap::from([(0, longer.clone())])).unwrap()).unwrap();
        let again = read(&at("longer.a"), &fs::read(at("longer.a")).unwrap()).unwrap();
        assert_eq!((&again[0].data, &again[1]), (&longer, &members[1]));
        let status = Command::new("cc").arg(at("main.o")).arg(at("longer.a")).arg("-o").arg(at("main")).status();
        assert!(status.unwrap().success());
        assert_eq!(Command::new(at("main")).status().unwrap().code(), Some(7));
        assert_eq!(replace(&whole, &HashMap::new()).unwrap(), whole);

        for cut in 0..200 {
            let _ = read(&at("lib.a"), &whole[..cut]);
            let _ = replace(&whole[..cut], &HashMap::new());
        }
    }
}
