//! Results against their bounds, and rates per second.
use std::time::Instant;

/// A bound on a number.
pub enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

#[derive(Default)]
pub struct Report {
    pub missed: u32,
}

impl Report {
    pub fn line(&mut self, name: &str, numbers: &str, judged: f64, bound: &Bound) {
        let (is_kept, text) = match bound {
            Bound::AtLeast(least) => (judged >= *least, format!("at least {least}")),
            Bound::AtMost(most) => (judged <= *most, format!("at most {most}")),
        };
        self.missed += u32::from(!is_kept);
        println!("  {name:<34} {numbers:<52} {text}: {}", if is_kept { "kept" } else { "MISSED" });
    }

    /// A number without a bound.
    pub fn note(&self, name: &str, numbers: &str) {
        println!("  {name:<34} {numbers}");
    }
}

/// The rate per second of several concurrent workers, each of which returns its count.
pub fn per_second(count: usize, one: &(dyn Fn(usize) -> anyhow::Result<u32> + Sync)) -> anyhow::Result<f64> {
    let begin = Instant::now();
    let counts: Vec<anyhow::Result<u32>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..count).map(|number| scope.spawn(move || one(number))).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|_| Err(anyhow::anyhow!("one of several broke off"))))
            .collect()
    });
    let mut sum = 0;
    for count in counts {
        sum += count?;
    }
    Ok(f64::from(sum) / begin.elapsed().as_secs_f64())
}

/// The median ratio of alternating measurements: a temporary slowdown of the machine affects both.
pub fn median_ratio(ones: &[f64], others: &[f64]) -> f64 {
    median(ones.iter().zip(others).map(|(one, other)| one / other).collect())
}

pub fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
