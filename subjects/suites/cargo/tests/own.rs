fn main() {
    println!("a harness of its own");
}
