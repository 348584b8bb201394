//! A persistence manager that gives objects only while its transaction is active, and clients of it. One forgets to begin.

use std::cell::Cell;

struct Transaction {
    active: Cell<bool>,
}

impl Transaction {
    fn new() -> Self {
        Transaction { active: Cell::new(false) }
    }

    fn begin(&self) {
        self.active.set(true);
    }

    fn commit(&self) {
        self.active.set(false);
    }

    fn is_active(&self) -> bool {
        self.active.get()
    }
}

struct Manager<'t> {
    transaction: &'t Transaction,
    served: u32,
}

impl<'t> Manager<'t> {
    fn new(transaction: &'t Transaction) -> Self {
        Manager { transaction, served: 0 }
    }

    fn get_object(&mut self, number: u32) -> u32 {
        assert!(self.transaction.is_active(), "no transaction");
        self.served += 1;
        number * 2
    }
}

fn read_one(manager: &mut Manager, tx: &Transaction) -> u32 {
    tx.begin();
    let value = manager.get_object(1);
    tx.commit();
    value
}

fn read_two(manager: &mut Manager, tx: &Transaction) -> u32 {
    tx.begin();
    let sum = manager.get_object(1) + manager.get_object(2);
    tx.commit();
    sum
}

fn read_late(manager: &mut Manager, tx: &Transaction) -> u32 {
    tx.begin();
    let first = manager.get_object(1);
    tx.commit();
    let second = manager.get_object(3);
    first + second
}

fn main() {
    let tx = Transaction::new();
    let mut manager = Manager::new(&tx);
    for word in std::env::args().skip(1) {
        let sum = match word.as_str() {
            "two" => read_two(&mut manager, &tx),
            "late" => read_late(&mut manager, &tx),
            _ => read_one(&mut manager, &tx),
        };
        println!("{sum}");
    }
}
