#[test]
fn even() {
    assert_eq!(halves::half(2), 1);
}

#[test]
fn stands_in_its_folder() {
    assert!(std::path::Path::new("Cargo.toml").is_file());
    assert_eq!(std::env::var("CARGO_PKG_NAME").unwrap(), "halves");
}
