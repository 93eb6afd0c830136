//! The process, by the names that client libraries of Prometheus use.
use crate::metrics::values::Values;
use rustix::param::{clock_ticks_per_second, page_size};
use rustix::process::{Resource, getrlimit};
use std::fs::{read_dir, read_to_string};
use std::time::{SystemTime, UNIX_EPOCH};

/// Tells what the system says of this process; what it does not say is left out.
pub fn tell(started_at: SystemTime, values: &mut Values) {
    if let Some(memory) = resident_bytes() {
        values.add_one("process_resident_memory_bytes", "Memory in use", memory);
    }
    if let Some(seconds) = processor_seconds() {
        values.add_total("process_cpu_seconds", "Processor time used, of all threads", seconds);
    }
    let started = started_at.duration_since(UNIX_EPOCH).ok().map(|since| since.as_secs_f64());
    values.add_one("process_start_time_seconds", "When the process started, since 1970", started);
    if let Ok(open) = read_dir("/proc/self/fd") {
        values.add_one("process_open_fds", "Open files and connections", open.count() as f64);
    }
    let most = getrlimit(Resource::Nofile).current;
    values.add_one("process_max_fds", "How many files and connections may be open", most.map(|most| most as f64));
}

fn resident_bytes() -> Option<f64> {
    let statm = read_to_string("/proc/self/statm").ok()?;
    let pages: f64 = statm.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * page_size() as f64)
}

fn processor_seconds() -> Option<f64> {
    let stat = read_to_string("/proc/self/stat").ok()?;
    // The name, in parentheses, may contain anything. Fields are numbered from 1, and the one after it is the third.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |field: usize| fields.get(field - 3)?.parse::<f64>().ok();
    Some((ticks(14)? + ticks(15)?) / clock_ticks_per_second() as f64)
}
