//! What exec needs, made before the fork and read after it, when nothing may be allocated any more.

use std::ffi::{CString, OsStr};
use std::io;
use std::os::fd::RawFd;
use std::os::unix::ffi::OsStrExt;

use crate::{Limits, Program, tree};

/// Limits that the program itself has, in the order of an image.
const RESOURCES: [libc::__rlimit_resource_t; 5] =
    [libc::RLIMIT_CORE, libc::RLIMIT_FSIZE, libc::RLIMIT_AS, libc::RLIMIT_NPROC, libc::RLIMIT_STACK];
/// Words before the tables of an image: the numbers of arguments and variables, where program and folder stand, whether
/// addresses are random, and each limit with a word before it that says whether there is one.
const WORDS: usize = 5 + 2 * RESOURCES.len();
const WORD: usize = std::mem::size_of::<u64>();

fn c_string(text: &OsStr) -> io::Result<CString> {
    CString::new(text.as_bytes())
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidInput, format!("`{}` contains a zero byte", text.display())))
}

/// What exec needs, as one block: words, then the tables of arguments and variables with the places of their texts (0
/// ends a table), then the texts. Where the block lies is added to the places by who uses it.
pub(crate) fn image(program: &Program, limits: &Limits) -> io::Result<Vec<u8>> {
    let arguments = std::iter::once(&program.arg0).chain(&program.args);
    let arguments = arguments.map(|text| c_string(text)).collect::<io::Result<Vec<_>>>()?;
    let mut variables = Vec::new();
    for (name, value) in &program.env {
        let mut text = name.clone();
        text.push("=");
        text.push(value);
        variables.push(c_string(&text)?);
    }
    let tasks = limits.processes.and_then(tree::task_limit);
    let limits = [Some(0), limits.file_size, limits.address_space, tasks, limits.stack];
    let start = WORD * (WORDS + arguments.len() + 1 + variables.len() + 1);
    let mut texts: Vec<u8> = Vec::new();
    let mut place = |text: &CString| {
        let at = start + texts.len();
        texts.extend(text.as_bytes_with_nul());
        at as u64
    };
    let mut words = vec![arguments.len() as u64, variables.len() as u64];
    words.push(place(&c_string(program.executable.as_os_str())?));
    words.push(place(&c_string(program.folder.as_os_str())?));
    words.push(program.randomise_addresses.into());
    words.extend(limits.iter().flat_map(|limit| [limit.is_some().into(), limit.unwrap_or(0)]));
    words.extend(arguments.iter().map(&mut place));
    words.push(0);
    words.extend(variables.iter().map(&mut place));
    words.push(0);
    let mut out: Vec<u8> = words.into_iter().flat_map(u64::to_ne_bytes).collect();
    out.extend(texts);
    Ok(out)
}

/// An image in memory, as C wants it. It is mapped for as long as the process lives: that is what makes it sound to read
/// through `words`, which points to [`WORDS`] words with both tables behind them.
#[derive(Clone, Copy)]
pub(crate) struct Prepared {
    words: *mut u64,
}

impl Prepared {
    /// Maps an image, and makes its places addresses. `None` where that fails.
    ///
    /// # Safety
    /// `file` holds an image of `bytes` bytes, as [`image`] makes it.
    pub(crate) unsafe fn map(file: RawFd, bytes: usize) -> Option<Self> {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new private mapping, wherever the system wants it; no memory that is in use is touched.
        let at = unsafe { libc::mmap(std::ptr::null_mut(), bytes, access, libc::MAP_PRIVATE, file, 0) };
        if at == libc::MAP_FAILED {
            return None;
        }
        let words: *mut u64 = at.cast();
        // SAFETY: a mapping begins at a page and so is aligned; an image begins with `WORDS` words, the first two of which
        // say how long the tables behind them are. Nobody else knows of the mapping.
        unsafe {
            let tables = *words + 1 + *words.add(1) + 1;
            for place in [2, 3].into_iter().chain(WORDS..WORDS + tables as usize) {
                if *words.add(place) != 0 {
                    *words.add(place) += at as u64;
                }
            }
        }
        Some(Self { words })
    }

    /// The word of this number, below [`WORDS`].
    fn word(self, number: usize) -> u64 {
        debug_assert!(number < WORDS);
        // SAFETY: an image begins with so many words, and stays mapped.
        unsafe { *self.words.add(number) }
    }

    /// The table that begins at this word.
    fn table(self, word: usize) -> *const *const libc::c_char {
        self.words.wrapping_add(word).cast_const().cast()
    }

    /// The program's file.
    pub(crate) fn executable(self) -> *const libc::c_char {
        self.word(2) as *const libc::c_char
    }

    /// The working folder.
    pub(crate) fn folder(self) -> *const libc::c_char {
        self.word(3) as *const libc::c_char
    }

    /// The arguments, and a null pointer behind them.
    pub(crate) fn arguments(self) -> *const *const libc::c_char {
        self.table(WORDS)
    }

    /// The environment, and a null pointer behind it.
    pub(crate) fn variables(self) -> *const *const libc::c_char {
        self.table(WORDS + self.word(0) as usize + 1)
    }

    /// Whether addresses stay random.
    pub(crate) fn randomise(self) -> bool {
        self.word(4) != 0
    }

    /// The limits that the program has on itself, each with what it limits.
    pub(crate) fn limits(self) -> impl Iterator<Item = (libc::__rlimit_resource_t, u64)> {
        let limit = move |(number, resource)| {
            let word = 5 + 2 * number;
            (self.word(word) != 0).then(|| (resource, self.word(word + 1)))
        };
        RESOURCES.into_iter().enumerate().filter_map(limit)
    }
}
