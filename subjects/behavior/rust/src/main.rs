//! A connection with a state, a stack that grows, a small value that is passed in registers.

#[derive(Debug)]
enum State {
    Closed,
    Open { reads: u32 },
    Failed,
}

struct Connection {
    state: State,
    name: String,
    pending: Option<u32>,
}

impl Connection {
    fn new(name: &str) -> Self {
        Connection { state: State::Closed, name: name.to_string(), pending: None }
    }
    fn connect(name: &str) -> Result<Self, String> {
        if name.is_empty() {
            return Err("no name".to_string());
        }
        let mut made = Self::new(name);
        made.open();
        Ok(made)
    }
    fn open(&mut self) {
        self.state = State::Open { reads: 0 };
    }
    fn is_open(&self) -> bool {
        matches!(self.state, State::Open { .. })
    }
    fn read(&mut self) -> Option<u32> {
        match &mut self.state {
            State::Open { reads } => {
                *reads += 1;
                Some(*reads)
            }
            _ => None,
        }
    }
    fn fail(&mut self) -> Result<(), String> {
        self.state = State::Failed;
        Err("failed".to_string())
    }
    fn check(&self) {
        if let State::Failed = self.state {
            panic!("bad {}", self.name);
        }
    }
    fn close(self) -> usize {
        self.name.len()
    }
}

struct Small {
    value: u32,
    full: bool,
}

impl Small {
    fn new() -> Self {
        Small { value: 0, full: false }
    }
    fn fill(&mut self) {
        self.value += 7;
        self.full = true;
    }
    fn value(&self) -> u32 {
        self.value
    }
}

struct Stack<T> {
    items: Vec<T>,
}

impl<T> Stack<T> {
    fn new() -> Self {
        Stack { items: Vec::new() }
    }
    fn push(&mut self, item: T) {
        self.items.push(item);
    }
    fn pop(&mut self) -> Option<T> {
        self.items.pop()
    }
}

fn main() {
    let mut one = Connection::new("one");
    println!("{:?} {:?}", one.read(), one.is_open());
    one.open();
    println!("{:?}", one.read());
    let _ = one.fail();
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| one.check()));
    println!("{}", result.is_err());
    println!("{}", one.close());
    println!("{}", Connection::connect("").is_err());
    let mut list = Vec::new();
    for name in ["a", "b", "c"] {
        list.push(Connection::connect(name).unwrap());
    }
    for connection in &mut list {
        connection.read();
    }
    let mut smalls = Vec::new();
    for _ in 0..3 {
        smalls.push(Small::new());
    }
    for small in &mut smalls {
        small.fill();
    }
    let mut boxed = Box::new(Small::new());
    boxed.fill();
    println!("{}", smalls.iter().map(|it| it.value()).sum::<u32>() + boxed.value());
    let mut stack = Stack::new();
    stack.push(1);
    stack.push(2);
    while stack.pop().is_some() {}
    let mut texts: Stack<&str> = Stack::new();
    texts.push("x");
    println!("{:?}", texts.pop());
    let mut a = Small::new();
    let mut b = Small::new();
    b.fill();
    std::mem::swap(&mut a, &mut b);
    println!("{} {}", a.value(), b.value());
    let mut slot = Some(a);
    let mut taken = slot.take().unwrap();
    taken.fill();
    println!("{}", taken.value());
}
