//! Files as the protocol names them.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use lsp_types::Uri;
use url::Url;

/// The path of a file; `None` where a name is no file of this machine's. A name need not be UTF-8.
pub fn path(uri: &Uri) -> Option<PathBuf> {
    Url::parse(uri.as_str()).ok().filter(|url| url.scheme() == "file")?.to_file_path().ok()
}

/// The name of a file; `None` where the path is not absolute.
pub fn uri(path: &Path) -> Option<Uri> {
    Uri::from_str(Url::from_file_path(path).ok()?.as_str()).ok()
}

/// A path by which a file is known whatever way leads to it.
pub fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn names_of_any_bytes_are_read_as_they_were_written() {
        for name in [&b"/a b/c#d.c"[..], b"/\xff\xfe/x%20.c", "/ä/🦀.rs".as_bytes()] {
            let file = Path::new(OsStr::from_bytes(name));
            assert_eq!(path(&uri(file).expect("a name")).as_deref(), Some(file));
        }
        assert_eq!(uri(Path::new("a.c")), None);
        for other in ["untitled:1", "http://a/b", "file:", "git:/a"] {
            assert_eq!(Uri::from_str(other).ok().and_then(|uri| path(&uri)).filter(|path| path.ends_with("b")), None);
        }
    }
}
