//! Sources in other encodings than UTF-8: read as text of the same length, and written as the bytes that they were.

/// What stands in a text for bytes that are no UTF-8.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Encoding {
    /// A control character that the source does not have, and the byte that it stands for.
    stands: Vec<(u8, u8)>,
}

/// Characters that sources hardly have, and that compilers take in comments and texts.
fn spare() -> impl Iterator<Item = u8> {
    (1..=8).chain(14..=31).chain([127])
}

impl Encoding {
    /// A source as a text, each byte of which is at its place in the source; none where too many different bytes are no UTF-8.
    pub fn read(bytes: &[u8]) -> Option<(String, Self)> {
        let mut free = spare().filter(|byte| !bytes.contains(byte));
        let (mut text, mut own) = (String::with_capacity(bytes.len()), Self::default());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            for &byte in chunk.invalid() {
                let known = own.stands.iter().find(|(_, stands)| *stands == byte).map(|(control, _)| *control);
                let control = match known {
                    Some(control) => control,
                    None => {
                        let control = free.next()?;
                        own.stands.push((control, byte));
                        control
                    }
                };
                text.push(control.into());
            }
        }
        Some((text, own))
    }

    /// A text as the bytes of a source.
    pub fn write(&self, text: &str) -> Vec<u8> {
        let stands = |byte: u8| self.stands.iter().find(|(control, _)| *control == byte).map(|(_, byte)| *byte);
        text.bytes().map(|byte| stands(byte).unwrap_or(byte)).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn latin_and_utf_in_one_file() {
        let source = b"/* gr\xfc\xdfe, Gr\xc3\xbc\xc3\x9fe */ int x; // \xfc\r\n";
        let (text, encoding) = Encoding::read(source).expect("a text");
        assert_eq!(text, "/* gr\u{1}\u{2}e, Grüße */ int x; // \u{1}\r\n");
        assert_eq!(
            encoding.write(&text.replace("int x", "long x")),
            b"/* gr\xfc\xdfe, Gr\xc3\xbc\xc3\x9fe */ long x; // \xfc\r\n"
        );
    }

    proptest! {
        #[test]
        fn what_is_read_is_written_as_it_was(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            if let Some((text, encoding)) = Encoding::read(&bytes) {
                prop_assert_eq!(text.len(), bytes.len());
                prop_assert_eq!(encoding.write(&text), bytes);
            }
        }
    }
}
