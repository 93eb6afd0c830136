//! Findings, each kind once per place, and statistics of the run.
use crate::wire::Answer;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

#[derive(Default)]
pub struct Findings {
    /// By kind and place: count and first example.
    found: Mutex<BTreeMap<(String, String), (usize, String)>>,
    pub requests: AtomicU64,
    /// Count of each code, or of each status without one: if everything was only throttled, nothing was attacked.
    answers: Mutex<BTreeMap<u64, usize>>,
}

impl Findings {
    pub fn add(&self, kind: &str, place: &str, example: &str) {
        let mut found = self.found.lock().expect("the findings");
        let entry = found.entry((kind.to_owned(), place.to_owned())).or_insert_with(|| (0, example.to_owned()));
        entry.0 += 1;
    }

    /// Checks that apply to every response: it is in time, and not an internal error.
    pub fn judge(&self, place: &str, sent: &str, answer: &Answer) {
        self.requests.fetch_add(1, Ordering::Relaxed);
        let code = answer.code.unwrap_or(u64::from(answer.status));
        *self.answers.lock().expect("the answers").entry(code).or_default() += 1;
        let sent: String = sent.chars().take(120).collect();
        let example = || format!("{sent} → {}", answer.short());
        if answer.status == 0 {
            self.add("no answer", place, &example());
        } else if answer.status >= 500 && answer.status != 503 {
            self.add("HTTP 5xx", place, &example());
        } else if answer.code == Some(5000) {
            self.add("code 5000", place, &example());
        }
    }

    pub fn lines(&self) -> Vec<String> {
        let found = self.found.lock().expect("the findings");
        found
            .iter()
            .map(|((kind, place), (count, example))| format!("{kind}: {place} ({count} times): {example}"))
            .collect()
    }

    /// Runs one of the attacks, and prints its duration.
    pub fn during<T>(&self, name: &str, attack: impl FnOnce() -> T) -> T {
        let (begin, before) = (Instant::now(), self.requests.load(Ordering::Relaxed));
        let known = self.found.lock().expect("the findings").len();
        self.answers.lock().expect("the answers").clear();
        let result = attack();
        let requests = self.requests.load(Ordering::Relaxed) - before;
        let found = self.found.lock().expect("the findings").len() - known;
        println!("{name:<44} {requests:>7} requests {:>6.1} s {found:>4} findings", begin.elapsed().as_secs_f32());
        let answers = self.answers.lock().expect("the answers");
        if !answers.is_empty() {
            let answers: Vec<String> = answers.iter().map(|(code, count)| format!("{code}: {count}")).collect();
            println!("  answered {}", answers.join(", "));
        }
        result
    }
}

/// Applies a function to many items concurrently.
pub fn for_each<T: Sync>(things: &[T], at_once: usize, act: impl Fn(&T) + Sync) {
    let next = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(|| {
                while let Some(thing) = things.get(next.fetch_add(1, Ordering::Relaxed) as usize) {
                    act(thing);
                }
            });
        }
    });
}
