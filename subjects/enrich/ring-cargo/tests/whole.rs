use ring::Ring;

#[test]
fn an_empty_ring_is_empty() {
    let ring = Ring::new();
    assert!(ring.is_empty());
}
