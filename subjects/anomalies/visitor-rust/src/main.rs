//! A visitor of declarations. One with errors has no scope, and must not be visited.

struct Scope {
    weight: u32,
}

struct Declaration {
    scope: Option<Box<Scope>>,
    errors: u32,
}

impl Declaration {
    fn new(good: bool) -> Self {
        match good {
            true => Declaration { scope: Some(Box::new(Scope { weight: 1 })), errors: 0 },
            false => Declaration { scope: None, errors: 1 },
        }
    }

    fn has_errors(&self) -> bool {
        self.errors > 0
    }
}

struct Visitor {
    visited: u32,
    sum: u32,
}

impl Visitor {
    fn new() -> Self {
        Visitor { visited: 0, sum: 0 }
    }

    fn visit(&mut self, declaration: &Declaration) {
        let scope = declaration.scope.as_ref().expect("a declaration has a scope");
        self.visited += scope.weight;
        self.sum += self.visited;
    }
}

fn main() {
    let mut visitor = Visitor::new();
    let mut faulty = 0;
    for word in std::env::args().skip(1) {
        let declaration = Declaration::new(word != "bad");
        visitor.visit(&declaration);
        if declaration.has_errors() {
            faulty += 1;
        }
    }
    if faulty > 9 {
        println!("too many");
    }
    println!("{}", visitor.sum);
}
