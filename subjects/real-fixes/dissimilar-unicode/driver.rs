//! Reads two lines, and makes them anew out of the parts that they have in common and those that they have not.
use dissimilar::{diff, Chunk};
use std::io;

/// A line of the standard input, without its end.
fn line() -> io::Result<String> {
    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    Ok(line.trim_end().to_string())
}

fn main() -> io::Result<()> {
    let (old, new) = (line()?, line()?);
    let (mut first, mut second) = (String::new(), String::new());
    for chunk in diff(&old, &new) {
        match chunk {
            Chunk::Equal(text) => {
                first.push_str(text);
                second.push_str(text);
            }
            Chunk::Delete(text) => first.push_str(text),
            Chunk::Insert(text) => second.push_str(text),
        }
    }
    println!("{}\n{}", first, second);
    assert_eq!((first, second), (old, new));
    Ok(())
}
