//! As much of ELF as a capture needs: sections of x86-64 objects, notes of products.
//!
//! Sections are added in place, at the end of the file: no tool has to start for it, and what was there keeps its place.

use std::{
    collections::HashSet,
    fs::{self, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::{FileExt, MetadataExt},
    path::Path,
};

/// Section of an object with the ids of the captured units in it, each ended by a zero byte.
pub const UNITS: &str = ".whydunit.bc";
/// Section of an object that a recorded `-r` link made, with the id of that link.
pub const RELINK: &str = ".whydunit.link";
/// Section of an object with a hash of the names that it defines for others, as hexadecimal digits: a tool that changes
/// names leaves it as it was.
pub const NAMES: &str = ".whydunit.names";
/// Name in the note of a product.
const NOTE_NAME: &[u8] = b"whydunit\0";
/// Type of the note of a product.
const NOTE_TYPE: u32 = 0x5744;

const HEADER: usize = 64;
const SECTION: usize = 64;
const SYMBOL: usize = 24;
const SHT_PROGBITS: u32 = 1;
const SHT_SYMTAB: u32 = 2;
const SHT_STRTAB: u32 = 3;
const SHT_RELA: u32 = 4;
const SHT_NOBITS: u32 = 8;
const SHT_DYNAMIC: u32 = 6;
const SHF_ALLOC: u64 = 2;
const PT_NOTE: u32 = 4;

/// Kind of file, by the header's type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileType {
    /// An object.
    Relocatable,
    /// A program at a fixed place.
    Executable,
    /// A shared library or a position-independent program.
    Shared,
    /// Something else.
    Other,
}

/// A section.
#[derive(Clone, Copy, Debug)]
pub struct Section<'a> {
    /// Name.
    pub name: &'a [u8],
    kind: u32,
    flags: u64,
    offset: u64,
    size: u64,
    link: u32,
    info: u32,
}

/// A file that was read; little-endian, 64 bits, x86-64.
pub struct Elf<'a> {
    data: &'a [u8],
    /// What it is.
    pub file_type: FileType,
    sections: Vec<Section<'a>>,
}

fn u16_at(data: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(data.get(at..at.checked_add(2)?)?.try_into().ok()?))
}
fn u32_at(data: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(data.get(at..at.checked_add(4)?)?.try_into().ok()?))
}
fn u64_at(data: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(data.get(at..at.checked_add(8)?)?.try_into().ok()?))
}
fn string_at(data: &[u8], at: usize) -> Option<&[u8]> {
    let rest = data.get(at..)?;
    Some(&rest[..rest.iter().position(|&byte| byte == 0)?])
}

/// Whether it may be ELF at all.
pub fn is_elf(data: &[u8]) -> bool {
    data.starts_with(b"\x7fELF")
}

impl<'a> Elf<'a> {
    /// Reads the header and the sections.
    pub fn parse(data: &'a [u8]) -> Option<Elf<'a>> {
        if !is_elf(data) || data.get(4..6)? != [2, 1] || u16_at(data, 18)? != 62 {
            return None;
        }
        let file_type = match u16_at(data, 16)? {
            1 => FileType::Relocatable,
            2 => FileType::Executable,
            3 => FileType::Shared,
            _ => FileType::Other,
        };
        let table = u64_at(data, 40)? as usize;
        let mut elf = Elf { data, file_type, sections: Vec::new() };
        if table == 0 {
            return Some(elf);
        }
        // More than 65279 sections: the numbers stand in the first section.
        let count = match u16_at(data, 60)? {
            0 => u64_at(data, table + 32)? as usize,
            count => count as usize,
        };
        let names = match u16_at(data, 62)? {
            0xffff => u32_at(data, table + 40)? as usize,
            index => index as usize,
        };
        let raw = |index: usize| -> Option<&'a [u8]> {
            let at = table.checked_add(index.checked_mul(SECTION)?)?;
            data.get(at..at.checked_add(SECTION)?)
        };
        let names = raw(names)?;
        let names_at = u64_at(names, 24)? as usize;
        let names = data.get(names_at..names_at.checked_add(u64_at(names, 32)? as usize)?)?;
        for index in 0..count {
            let header = raw(index)?;
            elf.sections.push(Section {
                name: string_at(names, u32_at(header, 0)? as usize).unwrap_or_default(),
                kind: u32_at(header, 4)?,
                flags: u64_at(header, 8)?,
                offset: u64_at(header, 24)?,
                size: u64_at(header, 32)?,
                link: u32_at(header, 40)?,
                info: u32_at(header, 44)?,
            });
        }
        Some(elf)
    }

    fn content(&self, section: &Section<'a>) -> Option<&'a [u8]> {
        if section.kind == SHT_NOBITS {
            return Some(&[]);
        }
        self.data.get(section.offset as usize..(section.offset as usize).checked_add(section.size as usize)?)
    }

    /// Content of the section of this name.
    pub fn section(&self, name: &str) -> Option<&'a [u8]> {
        let section = self.sections.iter().find(|section| section.name == name.as_bytes())?;
        self.content(section)
    }

    /// Whether a section's name starts so.
    pub fn has_section(&self, prefix: &str) -> bool {
        self.sections.iter().any(|section| section.name.starts_with(prefix.as_bytes()))
    }

    /// The ids in a section of ours.
    pub fn ids(&self, section: &str) -> Vec<String> {
        let content = self.section(section).unwrap_or_default();
        let mut ids: Vec<String> = Vec::new();
        for id in content.split(|&byte| byte == 0) {
            if let (64, Ok(id)) = (id.len(), str::from_utf8(id))
                && !ids.iter().any(|known| known == id)
            {
                ids.push(id.to_owned());
            }
        }
        ids
    }

    /// Link id in the note of a product.
    pub fn link_id(&self) -> Option<String> {
        let table = u64_at(self.data, 32)? as usize;
        for index in 0..u16_at(self.data, 56)? as usize {
            let header = self.data.get(table.checked_add(index * 56)?..)?;
            if u32_at(header, 0)? == PT_NOTE {
                let at = u64_at(header, 8)? as usize;
                let notes = self.data.get(at..at.checked_add(u64_at(header, 32)? as usize)?)?;
                if let Some(id) = note_in(notes, (u64_at(header, 48)? as usize).max(4)) {
                    return Some(id);
                }
            }
        }
        None
    }

    /// Whether the file carries machine code or data at all.
    pub fn is_empty(&self) -> bool {
        !self.sections.iter().any(|section| section.flags & SHF_ALLOC != 0 && section.size > 0)
    }

    /// Names of the symbols that an object defines for others; common ones too.
    pub fn exported(&self) -> Vec<&'a [u8]> {
        let mut names = Vec::new();
        for (name, info, section) in self.symbols() {
            let binding = info >> 4;
            if section != 0 && (binding == 1 || binding == 2 || binding == 10) && !name.is_empty() {
                names.push(name);
            }
        }
        names
    }

    /// What [`NAMES`] holds: a hash of the names that an object defines, and of how they are bound.
    pub fn names_hash(&self) -> String {
        let mut names: Vec<(&[u8], u8)> = self
            .symbols()
            .filter(|(name, info, section)| *section != 0 && info >> 4 != 0 && !name.is_empty())
            .map(|(name, info, _)| (name, info >> 4))
            .collect();
        names.sort_unstable();
        crate::store::hash(format!("{names:?}").as_bytes())
    }

    /// Names of the symbols that an object wants from others.
    pub fn undefined(&self) -> Vec<&'a [u8]> {
        self.symbols().filter(|(name, _, section)| *section == 0 && !name.is_empty()).map(|(name, ..)| name).collect()
    }

    fn symbols(&self) -> impl Iterator<Item = (&'a [u8], u8, u16)> {
        let table = self.sections.iter().find(|section| section.kind == SHT_SYMTAB);
        let entries = table.and_then(|table| self.content(table)).unwrap_or_default();
        let names = table
            .and_then(|table| self.sections.get(table.link as usize))
            .and_then(|names| self.content(names))
            .unwrap_or_default();
        entries.chunks_exact(SYMBOL).map(move |entry| {
            let name = u32_at(entry, 0).and_then(|at| string_at(names, at as usize));
            (name.unwrap_or_default(), entry[4], u16_at(entry, 6).unwrap_or_default())
        })
    }

    /// The numbers of symbols with these names that are defined for others, and where the names begin in the file.
    fn places_of(&self, names: &HashSet<&[u8]>) -> Vec<(usize, usize)> {
        let start = self.data.as_ptr() as usize;
        let place = |(number, (name, info, section)): (usize, (&[u8], u8, u16))| {
            let defined = section != 0 && info >> 4 != 0 && !name.is_empty() && names.contains(name);
            defined.then(|| (number, name.as_ptr() as usize - start))
        };
        self.symbols().enumerate().filter_map(place).collect()
    }

    /// A string of the dynamic section: 14 is the soname.
    fn dynamic(&self, tag: u64) -> Vec<&'a [u8]> {
        let Some(section) = self.sections.iter().find(|section| section.kind == SHT_DYNAMIC) else { return Vec::new() };
        let entries = self.content(section).unwrap_or_default();
        let names = self.sections.get(section.link as usize).and_then(|names| self.content(names)).unwrap_or_default();
        entries
            .chunks_exact(16)
            .filter(|entry| u64_at(entry, 0) == Some(tag))
            .filter_map(|entry| string_at(names, u64_at(entry, 8)? as usize))
            .collect()
    }

    /// Name that the dynamic linker knows a library by.
    pub fn soname(&self) -> Option<&'a str> {
        self.dynamic(14).first().and_then(|name| str::from_utf8(name).ok())
    }

    /// Sonames of the libraries that it needs.
    pub fn needed(&self) -> Vec<&'a str> {
        self.dynamic(1).into_iter().filter_map(|name| str::from_utf8(name).ok()).collect()
    }

    /// Whether an object can only be linked at a fixed place: absolute 32-bit relocations in what is loaded.
    pub fn needs_fixed_place(&self) -> bool {
        self.sections.iter().filter(|section| section.kind == SHT_RELA).any(|section| {
            let loaded = self.sections.get(section.info as usize).is_some_and(|target| target.flags & SHF_ALLOC != 0);
            let relocations = self.content(section).unwrap_or_default();
            // R_X86_64_32, R_X86_64_32S, R_X86_64_16, R_X86_64_8
            loaded && relocations.chunks_exact(24).any(|entry| matches!(u32_at(entry, 8), Some(10 | 11 | 12 | 14)))
        })
    }
}

fn note_in(notes: &[u8], align: usize) -> Option<String> {
    let mut at = 0;
    while at + 12 <= notes.len() {
        let (name, desc) = (u32_at(notes, at)? as usize, u32_at(notes, at + 4)? as usize);
        let kind = u32_at(notes, at + 8)?;
        let name_at = at + 12;
        let desc_at = name_at.checked_add(name)?.checked_next_multiple_of(align.min(8))?;
        if kind == NOTE_TYPE && notes.get(name_at..name_at.checked_add(name)?)? == NOTE_NAME {
            let desc = notes.get(desc_at..desc_at.checked_add(desc)?)?;
            let id = desc.split(|&byte| byte == 0).next()?;
            return str::from_utf8(id).ok().map(str::to_owned);
        }
        at = desc_at.checked_add(desc)?.checked_next_multiple_of(align.min(8))?;
    }
    None
}

/// Gives the names that an object defines for others another first byte, in place; false where another name would change
/// with them (one may be the end of the other in the file).
pub fn rename(data: &mut [u8], names: &HashSet<&[u8]>, first: u8) -> bool {
    let before: Option<Vec<Vec<u8>>> =
        Elf::parse(data).map(|elf| elf.symbols().map(|(name, ..)| name.to_vec()).collect());
    let (Some(before), Some(places)) = (before, Elf::parse(data).map(|elf| elf.places_of(names))) else { return false };
    for &(_, at) in &places {
        data[at] = first;
    }
    let renamed: HashSet<usize> = places.iter().map(|&(number, _)| number).collect();
    Elf::parse(data).is_some_and(|elf| {
        elf.symbols().zip(before).enumerate().all(|(number, ((name, ..), mut before))| {
            if renamed.contains(&number) {
                before[0] = first;
            }
            name == before
        })
    })
}

/// Takes the definitions of these names out of an object, in place, where others may define them as well (they are weak): it
/// refers to those of other objects then.
pub fn leave_to_others(data: &mut [u8], names: &HashSet<Vec<u8>>) {
    const WEAK: u8 = 2;
    const UNIQUE: u8 = 10;
    const GLOBAL: u8 = 1;
    let Some(elf) = Elf::parse(data) else { return };
    let Some(table) = elf.sections.iter().find(|section| section.kind == SHT_SYMTAB) else { return };
    let start = table.offset as usize;
    let weak = |(_, (name, info, section)): &(usize, (&[u8], u8, u16))| {
        *section != 0 && matches!(info >> 4, WEAK | UNIQUE) && names.contains(*name)
    };
    let chosen: Vec<usize> = elf.symbols().enumerate().filter(weak).map(|(number, _)| number).collect();
    for number in chosen {
        let Some(entry) = data.get_mut(start + number * SYMBOL..start + (number + 1) * SYMBOL) else { return };
        // Binding and kind; then section, value and size.
        entry[4] = GLOBAL << 4 | entry[4] & 0xf;
        entry[6..].fill(0);
    }
}

/// Link id of a product on disk; only its headers and notes are read.
pub fn link_id_of(path: &Path) -> Option<String> {
    let file = File::open(path).ok()?;
    let piece = |at: u64, size: usize| -> Option<Vec<u8>> {
        let mut piece = vec![0; size.min(1 << 20)];
        file.read_exact_at(&mut piece, at).ok()?;
        Some(piece)
    };
    let header = piece(0, HEADER)?;
    if !is_elf(&header) || header[4..6] != [2, 1] {
        return None;
    }
    let segments = piece(u64_at(&header, 32)?, u16_at(&header, 56)? as usize * 56)?;
    segments.chunks_exact(56).filter(|segment| u32_at(segment, 0) == Some(PT_NOTE)).find_map(|segment| {
        let notes = piece(u64_at(segment, 8)?, u64_at(segment, 32)? as usize)?;
        note_in(&notes, (u64_at(segment, 48)? as usize).max(4))
    })
}

/// Writes the ids of units into an object, and of the `-r` link that made it.
pub fn mark<'i>(path: &Path, units: impl IntoIterator<Item = &'i String>, link: Option<&String>) -> io::Result<()> {
    let data = fs::read(path)?;
    if fs::metadata(path)?.nlink() > 1 {
        // A compiler cache may have linked its own copy here: that one must stay as it is.
        let mut apart = path.as_os_str().to_owned();
        apart.push(".whydunit");
        fs::copy(path, &apart)?;
        fs::rename(&apart, path)?;
    }
    let names = Elf::parse(&data).map(|elf| elf.names_hash()).unwrap_or_default();
    let mut sections = vec![(UNITS, id_list(units)), (NAMES, id_list([&names]))];
    sections.extend(link.map(|link| (RELINK, id_list([link]))));
    set_sections(path, &sections)
}

/// Sets sections of an object, by appending: new ones get a header, those that are there get the new content.
pub fn set_sections(path: &Path, sections: &[(&str, Vec<u8>)]) -> io::Result<()> {
    let data = fs::read(path)?;
    let bad = || io::Error::new(io::ErrorKind::InvalidData, "no x86-64 object");
    let elf = Elf::parse(&data).filter(|elf| elf.file_type == FileType::Relocatable).ok_or_else(bad)?;
    let table = u64_at(&data, 40).ok_or_else(bad)? as usize;
    if elf.sections.is_empty() || elf.sections.len() + sections.len() >= 0xff00 || u16_at(&data, 60) == Some(0) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "the object has no sections, or too many"));
    }
    let names_index = u16_at(&data, 62).ok_or_else(bad)? as usize;
    let mut headers = data.get(table..table + elf.sections.len() * SECTION).ok_or_else(bad)?.to_vec();
    let mut names = elf.content(elf.sections.get(names_index).ok_or_else(bad)?).ok_or_else(bad)?.to_vec();

    let start = data.len();
    let mut tail = Vec::new();
    for (name, content) in sections {
        let offset = (start + tail.len()) as u64;
        tail.extend_from_slice(content);
        if let Some(index) = elf.sections.iter().position(|section| section.name == name.as_bytes()) {
            let header = &mut headers[index * SECTION..][..SECTION];
            header[24..32].copy_from_slice(&offset.to_le_bytes());
            header[32..40].copy_from_slice(&(content.len() as u64).to_le_bytes());
        } else {
            let name_at = names.len() as u32;
            names.extend_from_slice(name.as_bytes());
            names.push(0);
            let header = section_header(name_at, SHT_PROGBITS, 0, offset, content.len() as u64, 1);
            headers.extend_from_slice(&header);
        }
    }
    let names_offset = (start + tail.len()) as u64;
    let names_header = &mut headers[names_index * SECTION..][..SECTION];
    names_header[24..32].copy_from_slice(&names_offset.to_le_bytes());
    names_header[32..40].copy_from_slice(&(names.len() as u64).to_le_bytes());
    tail.extend_from_slice(&names);
    while !(start + tail.len()).is_multiple_of(8) {
        tail.push(0);
    }
    let new_table = (start + tail.len()) as u64;
    tail.extend_from_slice(&headers);

    // The tail first, the header last: a file cut in between is still the old one.
    let file = OpenOptions::new().write(true).open(path)?;
    file.write_all_at(&tail, start as u64)?;
    let mut header = data[..HEADER].to_vec();
    header[40..48].copy_from_slice(&new_table.to_le_bytes());
    header[60..62].copy_from_slice(&((headers.len() / SECTION) as u16).to_le_bytes());
    file.write_all_at(&header, 0)
}

fn section_header(name: u32, kind: u32, flags: u64, offset: u64, size: u64, align: u64) -> [u8; SECTION] {
    let mut header = [0; SECTION];
    header[0..4].copy_from_slice(&name.to_le_bytes());
    header[4..8].copy_from_slice(&kind.to_le_bytes());
    header[8..16].copy_from_slice(&flags.to_le_bytes());
    header[24..32].copy_from_slice(&offset.to_le_bytes());
    header[32..40].copy_from_slice(&size.to_le_bytes());
    header[48..56].copy_from_slice(&align.to_le_bytes());
    header
}

/// Ids as the content of a section.
pub fn id_list<'i>(ids: impl IntoIterator<Item = &'i String>) -> Vec<u8> {
    ids.into_iter().flat_map(|id| id.bytes().chain([0])).collect()
}

/// Writes an object with nothing but the note of a product.
///
/// It says that it needs no executable stack and that it can live with branch tracking and shadow stacks, because a
/// linker takes what all inputs agree on.
pub fn write_note_object(path: &Path, link_id: &str) -> io::Result<()> {
    const SHT_NOTE: u32 = 7;
    let mut note = Vec::new();
    note.extend((NOTE_NAME.len() as u32).to_le_bytes());
    note.extend((link_id.len() as u32 + 1).to_le_bytes());
    note.extend(NOTE_TYPE.to_le_bytes());
    note.extend(NOTE_NAME);
    note.resize(note.len().next_multiple_of(4), 0);
    note.extend(link_id.as_bytes());
    note.push(0);
    note.resize(note.len().next_multiple_of(4), 0);
    let mut property = Vec::new();
    for word in [4u32, 16, 5, u32::from_le_bytes(*b"GNU\0"), 0xc000_0002, 4, 3, 0] {
        property.extend(word.to_le_bytes());
    }

    let mut names = vec![0u8];
    let mut body = Vec::new();
    let mut headers = vec![0u8; SECTION];
    let mut add = |name: &str, kind: u32, flags: u64, content: &[u8], align: usize, entry: u64, link: u32| {
        body.resize((HEADER + body.len()).next_multiple_of(align) - HEADER, 0);
        let name_at = names.len() as u32;
        names.extend(name.bytes().chain([0]));
        let offset = (HEADER + body.len()) as u64;
        let mut header = section_header(name_at, kind, flags, offset, content.len() as u64, align as u64);
        header[40..44].copy_from_slice(&link.to_le_bytes());
        // Index of the first symbol that is not local.
        header[44..48].copy_from_slice(&u32::from(kind == SHT_SYMTAB).to_le_bytes());
        header[56..64].copy_from_slice(&entry.to_le_bytes());
        headers.extend(header);
        body.extend_from_slice(content);
    };
    add(".note.whydunit", SHT_NOTE, SHF_ALLOC, &note, 4, 0, 0);
    add(".note.gnu.property", SHT_NOTE, SHF_ALLOC, &property, 8, 0, 0);
    add(".note.GNU-stack", SHT_PROGBITS, 0, &[], 1, 0, 0);
    add(".symtab", SHT_SYMTAB, 0, &[0; 24], 8, 24, 5);
    add(".strtab", SHT_STRTAB, 0, &[0], 1, 0, 0);
    let name_at = names.len() as u32;
    names.extend(b".shstrtab\0");
    headers.extend(section_header(name_at, SHT_STRTAB, 0, (HEADER + body.len()) as u64, names.len() as u64, 1));
    body.extend(&names);
    body.resize(body.len().next_multiple_of(8), 0);

    let mut header = [0u8; HEADER];
    header[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
    header[16..18].copy_from_slice(&1u16.to_le_bytes());
    header[18..20].copy_from_slice(&62u16.to_le_bytes());
    header[20..24].copy_from_slice(&1u32.to_le_bytes());
    header[40..48].copy_from_slice(&((HEADER + body.len()) as u64).to_le_bytes());
    header[52..54].copy_from_slice(&(HEADER as u16).to_le_bytes());
    header[58..60].copy_from_slice(&(SECTION as u16).to_le_bytes());
    header[60..62].copy_from_slice(&((headers.len() / SECTION) as u16).to_le_bytes());
    header[62..64].copy_from_slice(&6u16.to_le_bytes());
    let mut file = File::create(path)?;
    file.write_all(&[&header[..], &body, &headers].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn run(command: &mut Command) {
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    #[test]
    fn ids_of_objects_come_together_in_a_link_and_the_note_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a.c"), "int f(void); int main(void) { return f(); }").unwrap();
        fs::write(at("b.c"), "int f(void) { return 7; }").unwrap();
        for name in ["a", "b"] {
            run(Command::new("cc").arg("-c").arg(at(&format!("{name}.c"))).arg("-o").arg(at(&format!("{name}.o"))));
        }
        let (one, two, link) = ("1".repeat(64), "2".repeat(64), "3".repeat(64));
        set_sections(&at("a.o"), &[(UNITS, id_list([&one]))]).unwrap();
        set_sections(&at("b.o"), &[(UNITS, id_list([&"9".repeat(64)])), (RELINK, id_list([&link]))]).unwrap();
        set_sections(&at("b.o"), &[(UNITS, id_list([&two]))]).unwrap();
        let object = fs::read(at("b.o")).unwrap();
        let object = Elf::parse(&object).unwrap();
        assert_eq!(object.ids(UNITS), vec![two.clone()]);
        assert_eq!(object.ids(RELINK), vec![link.clone()]);
        assert_eq!(object.exported(), [b"f"]);
        fs::hard_link(at("a.o"), at("cached.o")).unwrap();
        mark(&at("a.o"), [&one], Some(&link)).unwrap();
        assert_eq!(Elf::parse(&fs::read(at("cached.o")).unwrap()).unwrap().ids(RELINK), Vec::<String>::new());

        write_note_object(&at("note.o"), &link).unwrap();
        run(Command::new("cc").args([at("a.o"), at("b.o"), at("note.o")]).arg("-o").arg(at("program")));
        let program = fs::read(at("program")).unwrap();
        let program = Elf::parse(&program).unwrap();
        assert_eq!(program.ids(UNITS), [one, two]);
        assert_eq!(program.link_id(), Some(link.clone()));
        assert_eq!(link_id_of(&at("program")), Some(link));
        assert_eq!(link_id_of(&at("a.c")), None);
        assert_eq!(Command::new(at("program")).status().unwrap().code(), Some(7));
    }

    #[test]
    fn what_an_object_defines_is_called_otherwise_unless_another_name_ends_so() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a.s"), ".globl _one, _two, x_two\n_one: call _one\ncall other\n_two: x_two: ret\n").unwrap();
        run(Command::new("clang-22").arg("-c").arg(at("a.s")).arg("-o").arg(at("a.o")));
        let object = fs::read(at("a.o")).unwrap();
        let named = |data: &[u8]| -> HashSet<Vec<u8>> {
            Elf::parse(data).unwrap().symbols().map(|(name, ..)| name.to_vec()).collect()
        };
        let mut renamed = object.clone();
        assert!(rename(&mut renamed, &HashSet::from([&b"_one"[..], b"other"]), b'$'));
        let mut expected = named(&object);
        expected.remove(&b"_one"[..]);
        expected.insert(b"$one".to_vec());
        assert_eq!(named(&renamed), expected);
        // Where the tables share what names end in, the other one would change with it.
        let (mut shared, mut other) = (object.clone(), object.clone());
        assert_eq!(String::from_utf8_lossy(&object).matches("_two").count(), 1);
        assert!(!rename(&mut shared, &HashSet::from([&b"_two"[..]]), b'$'));
        assert!(!rename(&mut other[..20], &HashSet::from([&b"_one"[..]]), b'$'));
    }

    #[test]
    fn damaged_files_are_no_elf_or_have_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("note.o");
        write_note_object(&path, &"a".repeat(64)).unwrap();
        let whole = fs::read(&path).unwrap();
        for cut in 0..whole.len() {
            if let Some(elf) = Elf::parse(&whole[..cut]) {
                let _ = (elf.ids(UNITS), elf.link_id(), elf.exported(), elf.soname(), elf.needs_fixed_place());
            }
        }
    }
}
