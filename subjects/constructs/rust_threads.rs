// Threads of Rust: spawn and join, channels, Mutex, RwLock, Condvar, Barrier, scopes, atomics, thread-locals, a panic in a thread.
use std::cell::RefCell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Condvar, Mutex, Once, RwLock, mpsc};
use std::thread;

thread_local! {
    static NAMES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

static DROPPED: AtomicUsize = AtomicUsize::new(0);

struct Counted(usize);

impl Drop for Counted {
    fn drop(&mut self) {
        DROPPED.fetch_add(self.0, Ordering::SeqCst);
    }
}

fn work(number: usize) -> usize {
    NAMES.with(|names| names.borrow_mut().push(format!("thread {number}")));
    NAMES.with(|names| names.borrow().iter().map(String::len).sum())
}

fn main() {
    let handles: Vec<_> = (0..6).map(|n| thread::spawn(move || work(n * 7))).collect();
    let lengths: Vec<usize> = handles.into_iter().map(|handle| handle.join().unwrap()).collect();
    println!("{lengths:?}");

    let (sender, receiver) = mpsc::channel();
    for n in 0..4 {
        let sender = sender.clone();
        thread::spawn(move || {
            for k in 0..50 {
                sender.send((n, n * 100 + k)).unwrap();
            }
        });
    }
    drop(sender);
    let mut sums = [0; 4];
    for (n, value) in receiver {
        sums[n] += value;
    }
    println!("{sums:?}");

    let (bounded, receiver) = mpsc::sync_channel(2);
    let reader = thread::spawn(move || receiver.iter().map(|x: u64| x * x).sum::<u64>());
    (0..100).for_each(|x| bounded.send(x).unwrap());
    drop(bounded);
    println!("{}", reader.join().unwrap());

    let shared = Arc::new((Mutex::new(0u32), Condvar::new()));
    let once = Arc::new(Once::new());
    let waiting: Vec<_> = (0..3)
        .map(|_| {
            let (shared, once) = (Arc::clone(&shared), Arc::clone(&once));
            thread::spawn(move || {
                once.call_once(|| *shared.0.lock().unwrap() += 10);
                let (mutex, changed) = &*shared;
                let mut value = mutex.lock().unwrap();
                while *value < 13 {
                    value = changed.wait(value).unwrap();
                }
                *value += 100;
            })
        })
        .collect();
    for _ in 0..3 {
        *shared.0.lock().unwrap() += 1;
        shared.1.notify_all();
    }
    waiting.into_iter().for_each(|handle| handle.join().unwrap());
    println!("{}", *shared.0.lock().unwrap());

    let numbers: Vec<u64> = (1..=1000).collect();
    let barrier = Barrier::new(4);
    let table = RwLock::new(vec![0; 4]);
    let leaders = AtomicUsize::new(0);
    thread::scope(|scope| {
        for (part, slice) in numbers.chunks(250).enumerate() {
            let (barrier, table, leaders) = (&barrier, &table, &leaders);
            scope.spawn(move || {
                table.write().unwrap()[part] = slice.iter().sum::<u64>();
                if barrier.wait().is_leader() {
                    leaders.fetch_add(1, Ordering::Relaxed);
                }
                let _guard = Counted(part);
                assert!(table.read().unwrap().iter().all(|sum| *sum > 0));
            });
        }
    });
    println!("{:?} {} {}", table.read().unwrap(), leaders.load(Ordering::SeqCst), DROPPED.load(Ordering::SeqCst));

    let failed = thread::Builder::new().name("fails".into()).spawn(|| {
        let _guard = Counted(100);
        if DROPPED.load(Ordering::SeqCst) == 6 {
            panic!("as meant");
        }
    });
    let message = failed.unwrap().join().unwrap_err();
    println!("{:?} {}", message.downcast_ref::<&str>(), DROPPED.load(Ordering::SeqCst));
}
