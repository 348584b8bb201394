use initials::{initials, length};

#[test]
fn a_short_word() {
    // So large that nothing else lies near it.
    let mut found: Vec<String> = Vec::with_capacity(10_000);
    found.push(initials("a pear tree"));
    assert_eq!(length(&found[0]), 3);
    assert_eq!(found[0], "APT");
}

#[test]
fn long_words() {
    assert_eq!(initials("ripe red pear"), "RRP");
}

#[test]
fn nothing() {
    assert_eq!(initials(""), "");
    assert_eq!(length(""), 0);
}

#[test]
fn spaces() {
    assert_eq!(initials("  pear  tree "), "PT");
}

#[test]
fn lengths() {
    assert_eq!(length("a birne in grün"), 15);
}
