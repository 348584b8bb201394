mod whydunit_site {
    extern crate std as whydunit_std;
    use self::whydunit_std::cell::Cell;
    use self::whydunit_std::env;
    use self::whydunit_std::fs::{File, OpenOptions};
    use self::whydunit_std::ops::{Range, RangeInclusive};
    use self::whydunit_std::os::unix::fs::FileExt;
    use self::whydunit_std::panic;
    use self::whydunit_std::prelude::v1::*;
    use self::whydunit_std::process::Command;
    use self::whydunit_std::sync::{Mutex, OnceLock};
    use self::whydunit_std::thread;
    use self::whydunit_std::time::Duration;

    /* What is asked of types is none of this one. */
    pub struct Asked;

    const HEAD: usize = 4096;
    const VALUES: usize = 12;
    const ENTRY: usize = 8 * (3 + VALUES);
    /* The value of what panics. */
    const PANIC: u64 = 0x70616e6963;

    struct Entry {
        hash: u64,
        count: u64,
        skip: bool,
        values: [u64; VALUES],
    }
    impl Entry {
        fn add(&mut self, value: u64) {
            if (self.count as usize) < VALUES {
                self.values[self.count as usize] = value;
            }
            self.count += 1;
            self.mix(value);
        }
        fn mix(&mut self, value: u64) {
            self.hash = (self.hash ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            self.hash ^= self.hash >> 29;
        }
        fn bytes(&self, out: &mut Vec<u8>) {
            for word in [self.hash, self.count, self.skip as u64].iter().chain(self.values.iter()) {
                out.extend_from_slice(&word.to_le_bytes());
            }
        }
    }
    struct Survey {
        file: File,
        most: u64,
        entries: Vec<Entry>,
    }
    impl Survey {
        fn write(&self, from: usize, to: usize) {
            let mut bytes = Vec::new();
            self.entries[from..to].iter().for_each(|entry| entry.bytes(&mut bytes));
            self.file.write_at(&bytes, (HEAD + from * ENTRY) as u64).ok();
        }
        fn mark(&self, at: usize) {
            self.file.write_at(&(at as u64).to_le_bytes(), 0).ok();
        }
    }
    struct State {
        site: usize,
        candidate: isize,
        /* One that counts besides, in a survey as well. */
        beside: usize,
        beside_candidate: isize,
        survey: Option<Mutex<Survey>>,
    }
    static STATE: OnceLock<State> = OnceLock::new();
    self::whydunit_std::thread_local! {
        /* A candidate is being evaluated: sites that it comes to are none of the run. */
        static BUSY: Cell<bool> = const { Cell::new(false) };
    }

    fn number(name: &str) -> usize {
        env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(0)
    }
    fn opened() -> Option<Mutex<Survey>> {
        let file = OpenOptions::new().read(true).write(true).open(env::var_os("WHYDUNIT_SURVEY")?).ok()?;
        let mut bytes = Vec::new();
        bytes.resize(number("WHYDUNIT_SURVEY_BYTES"), 0);
        file.read_exact_at(&mut bytes, 0).ok()?;
        let word = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[at..at + 8]);
            u64::from_le_bytes(word)
        };
        let entry = |at: usize| Entry {
            hash: word(at),
            count: word(at + 8),
            skip: word(at + 16) != 0,
            values: [0; VALUES],
        };
        let entries = (0..(bytes.len() - HEAD) / ENTRY).map(|n| entry(HEAD + n * ENTRY)).collect();
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !BUSY.with(Cell::get) {
                before(info)
            }
        }));
        Some(Mutex::new(Survey { file, most: word(8), entries }))
    }
    /* SIGPROF ends what computes for longer than that. */
    fn bounded(most: usize) {
        let used = || {
            let text = self::whydunit_std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
            let words: Vec<&str> = text.rsplit(')').next().unwrap_or("").split_whitespace().collect();
            let ticks = |n: usize| words.get(n).and_then(|word| word.parse().ok()).unwrap_or(0usize);
            10 * (ticks(11) + ticks(12))
        };
        thread::spawn(move || {
            while used() <= most {
                thread::sleep(Duration::from_millis(10));
            }
            let kill = self::whydunit_std::format!("kill -PROF {}", self::whydunit_std::process::id());
            Command::new("/bin/sh").arg("-c").arg(kill).status().ok();
        });
    }
    fn state() -> &'static State {
        STATE.get_or_init(|| {
            let most = number("WHYDUNIT_MILLISECONDS");
            if most > 0 {
                bounded(most);
            }
            State {
                site: number("WHYDUNIT_SITE"),
                candidate: number("WHYDUNIT_CANDIDATE") as isize,
                beside: number("WHYDUNIT_BESIDE"),
                beside_candidate: number("WHYDUNIT_BESIDE_CANDIDATE") as isize,
                survey: opened(),
            }
        })
    }

    /* Which candidate counts, 0 for none: evaluates all in a survey, `far` those that may not come back; -1 where nothing is noted. */
    pub fn begin(site: usize, base: usize, number: isize, far: &[isize], eval: &dyn Fn(isize) -> u64) -> isize {
        let state = state();
        if state.beside == site {
            return state.beside_candidate;
        }
        let survey = match &state.survey {
            None => return if state.site == site { state.candidate } else { 0 },
            Some(survey) => survey,
        };
        if BUSY.with(Cell::get) {
            return -1;
        }
        let mut survey = match survey.lock() {
            Ok(survey) => survey,
            Err(_) => return -1,
        };
        if survey.entries.len() <= base + number as usize || survey.entries[base].count >= survey.most {
            return -1;
        }
        survey.entries[base].count += 1;
        survey.write(base, base + 1);
        BUSY.with(|busy| busy.set(true));
        let mut marked = false;
        for at in 1..=number {
            let entry = base + at as usize;
            if survey.entries[entry].skip {
                continue;
            }
            let is_far = cfg!(panic = "abort") || far.binary_search(&at).is_ok();
            if is_far || marked {
                survey.mark(if is_far { entry } else { 0 });
                marked = is_far;
            }
            let value = panic::catch_unwind(panic::AssertUnwindSafe(|| eval(at))).unwrap_or(PANIC);
            survey.entries[entry].add(value);
        }
        if marked {
            survey.mark(0);
        }
        BUSY.with(|busy| busy.set(false));
        survey.write(base, base + 1 + number as usize);
        0
    }
    /* Notes the value that counts. */
    pub fn note(base: usize, at: isize, value: u64) {
        if let (0, Some(survey)) = (at, &state().survey) {
            if let Ok(mut survey) = survey.lock() {
                let n = survey.entries[base].count as usize - 1;
                if n < VALUES {
                    survey.entries[base].values[n] = value;
                }
                survey.entries[base].mix(value);
                survey.write(base, base + 1);
            }
        }
    }

    /* What each of several has to be like: the first one says of which type. */
    pub struct Like<T>(self::whydunit_std::marker::PhantomData<T>);
    impl<T> Clone for Like<T> {
        fn clone(&self) -> Self { *self }
    }
    impl<T> Copy for Like<T> {}
    pub const fn alike<T>() -> Like<T> {
        Like(self::whydunit_std::marker::PhantomData)
    }
    pub fn like<T>(_: Like<T>, value: T) -> T {
        value
    }

    /* Values as bits. */
    pub trait Value: Copy {
        fn bits(self) -> u64;
    }
    /* Ranges of whole numbers with the other end. */
    pub trait Whole: Copy {
        fn next(self) -> Self;
        fn range_before(from: Self, to: Self) -> RangeInclusive<Self>;
    }
    pub fn through<T: Whole>(from: T, to: T) -> Range<T> {
        from..to.next()
    }
    pub fn upto<T: Whole>(from: T, to: T) -> RangeInclusive<T> {
        T::range_before(from, to)
    }
    macro_rules! whole {
        ($($ty:ty)*) => {$(
            impl Value for $ty {
                fn bits(self) -> u64 { self as i64 as u64 }
            }
            impl Whole for $ty {
                fn next(self) -> Self { self.saturating_add(1) }
                fn range_before(from: Self, to: Self) -> RangeInclusive<Self> {
                    match to.checked_sub(1) {
                        Some(last) => from..=last,
                        None => 1..=0,
                    }
                }
            }
        )*};
    }
    whole!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize);
    impl Value for bool {
        fn bits(self) -> u64 { self as u64 }
    }
    impl Value for char {
        fn bits(self) -> u64 { self as u64 }
    }
    impl Value for f32 {
        fn bits(self) -> u64 { (self as f64).to_bits() }
    }
    impl Value for f64 {
        fn bits(self) -> u64 { self.to_bits() }
    }
}
