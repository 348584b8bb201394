//! An acceptor of connections that must be bound to be unbound, and clients of it. One forgets to bind it again.

struct Acceptor {
    bound: bool,
    accepted: u32,
    released: u32,
}

impl Acceptor {
    fn new() -> Self {
        Acceptor { bound: false, accepted: 0, released: 0 }
    }

    fn bind(&mut self) {
        assert!(!self.bound, "already bound");
        self.bound = true;
    }

    fn accept(&mut self) {
        if self.bound {
            self.accepted += 1;
        }
    }

    fn unbind(&mut self) {
        assert!(self.bound, "not bound");
        self.bound = false;
        self.released += 1;
    }

    fn is_bound(&self) -> bool {
        self.bound
    }

    fn releases(&self) -> u32 {
        self.released
    }
}

fn serve(acceptor: &mut Acceptor) -> u32 {
    acceptor.bind();
    acceptor.accept();
    acceptor.unbind();
    acceptor.releases()
}

fn serve_twice(acceptor: &mut Acceptor) -> u32 {
    acceptor.bind();
    acceptor.unbind();
    acceptor.bind();
    acceptor.accept();
    acceptor.unbind();
    acceptor.releases()
}

fn reopen(acceptor: &mut Acceptor) -> u32 {
    acceptor.bind();
    acceptor.accept();
    acceptor.unbind();
    acceptor.unbind();
    acceptor.releases()
}

fn main() {
    let mut acceptor = Acceptor::new();
    for word in std::env::args().skip(1) {
        let released = match word.as_str() {
            "twice" => serve_twice(&mut acceptor),
            "reopen" => reopen(&mut acceptor),
            _ => serve(&mut acceptor),
        };
        println!("{released}");
    }
    if acceptor.is_bound() {
        acceptor.unbind();
    }
}
