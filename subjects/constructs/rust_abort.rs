// A panic that aborts: the bounds of an array are checked, no clean-up runs.
//: flags -C panic=abort
struct Guard;

impl Drop for Guard {
    fn drop(&mut self) {
        println!("never");
    }
}

fn main() {
    let _guard = Guard;
    println!("before");
    let list = [1, 2, 3];
    let at = std::env::args().count() + 2;
    println!("{}", list[at]);
}
