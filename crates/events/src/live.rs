//! Streams that a traced program writes itself, while it runs: a line that says what it is, then blocks of whole events in the binary
//! form, each with its length before it in four bytes, the lowest first. A block of length 0 is the end: a stream without it was cut.

use std::io::Read;

use crate::event::Event;
use crate::file::FileError;

const HEAD: &str = "whydunit events-live ";
/// Version of the form.
const VERSION: &[u8] = b"1\n";
/// No tracer writes longer blocks.
const LONGEST: usize = 1 << 28;

/// The events of a stream, one after the other. Memory is bounded by a block.
pub struct Live<R> {
    source: R,
    block: Vec<u8>,
    used: usize,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Going,
    Whole,
    Cut,
    Damaged,
}

impl<R: Read> Live<R> {
    /// Of a file or a pipe, at its start.
    pub fn new(mut source: R) -> Result<Self, FileError> {
        let mut head = vec![0; HEAD.len()];
        source.read_exact(&mut head).map_err(|_| FileError::Foreign)?;
        let mut version = vec![0; VERSION.len()];
        source.read_exact(&mut version).map_err(|_| FileError::Foreign)?;
        if head != HEAD.as_bytes() {
            return Err(FileError::Foreign);
        }
        if version != VERSION {
            return Err(FileError::Version);
        }
        Ok(Self { source, block: Vec::new(), used: 0, state: State::Going })
    }

    /// Whether the stream came to its end. Before all events were read it is not known: `false`.
    pub fn is_whole(&self) -> bool {
        self.state == State::Whole
    }

    /// Reads the next block; whether there is one.
    fn fill(&mut self) -> bool {
        let mut length = [0; 4];
        if self.source.read_exact(&mut length).is_err() {
            self.state = State::Cut;
            return false;
        }
        let length = u32::from_le_bytes(length) as usize;
        if length == 0 {
            self.state = State::Whole;
            return false;
        }
        if length > LONGEST {
            self.state = State::Damaged;
            return false;
        }
        self.block.resize(length, 0);
        self.used = 0;
        if self.source.read_exact(&mut self.block).is_err() {
            self.state = State::Cut;
            return false;
        }
        true
    }
}

impl<R: Read> Iterator for Live<R> {
    type Item = Result<Event, FileError>;

    /// The next event; `None` at the end, and where the stream was cut. What is no event is an error, and the last item.
    fn next(&mut self) -> Option<Self::Item> {
        if self.state != State::Going {
            return None;
        }
        if self.used == self.block.len() && !self.fill() {
            return (self.state == State::Damaged).then_some(Err(FileError::Damaged));
        }
        let rest = &self.block[self.used..];
        match postcard::take_from_bytes::<Event>(rest) {
            Ok((event, left)) => {
                self.used = self.block.len() - left.len();
                Some(Ok(event))
            }
            Err(_) => {
                self.state = State::Damaged;
                Some(Err(FileError::Damaged))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Run;

    fn run(name: &str) -> Event {
        Event::Run(Run { name: name.into() })
    }

    fn stream(blocks: &[&[Event]]) -> Vec<u8> {
        let mut bytes = b"whydunit events-live 1\n".to_vec();
        for block in blocks {
            let plain: Vec<u8> =
                block.iter().flat_map(|event| postcard::to_stdvec(event).expect("plain data serialises")).collect();
            bytes.extend((plain.len() as u32).to_le_bytes());
            bytes.extend(plain);
        }
        bytes
    }

    #[test]
    fn events_come_as_they_were_written_and_the_end_is_known() {
        let bytes = stream(&[&[run("a"), run("b")], &[run("c")], &[]]);
        let mut live = Live::new(&bytes[..]).expect("a stream");
        assert!(!live.is_whole());
        let events: Vec<Event> = live.by_ref().map(|event| event.expect("an event")).collect();
        assert_eq!(events, [run("a"), run("b"), run("c")]);
        assert!(live.is_whole());
    }

    #[test]
    fn a_cut_stream_gives_its_whole_blocks_and_says_that_it_was_cut() {
        let bytes = stream(&[&[run("a")], &[run("b")]]);
        for end in [bytes.len(), bytes.len() - 1] {
            let mut live = Live::new(&bytes[..end]).expect("a stream");
            let events = live.by_ref().filter_map(Result::ok).count();
            assert_eq!((events, live.is_whole()), (if end == bytes.len() { 2 } else { 1 }, false));
        }
    }

    #[test]
    fn what_is_no_stream_is_an_error() {
        assert!(matches!(Live::new(&b"something else, and long enough"[..]), Err(FileError::Foreign)));
        assert!(matches!(Live::new(&b"whydunit events-live 2\n"[..]), Err(FileError::Version)));
        let mut bytes = stream(&[&[run("a")]]);
        bytes.extend([1, 0, 0, 0, 0xff]);
        let events: Vec<_> = Live::new(&bytes[..]).expect("a stream").collect();
        assert!(events.len() == 2 && matches!(events[1], Err(FileError::Damaged)), "{events:?}");
    }
}
